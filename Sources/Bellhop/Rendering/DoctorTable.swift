/// How `doctor` shows what it found.
package enum DoctorTable {
    private static let verdictWidth = Finding.Verdict.allCases.map(\.rawValue.count).max() ?? 0
    private static let checkWidth = DoctorCheck.allCases.map(\.rawValue.count).max() ?? 0

    /// One line, and one more for advice; the columns fit whatever comes later, so that each can be shown at once.
    package static func text(_ finding: Finding) -> String {
        let verdict = padded(finding.verdict.rawValue, verdictWidth)
        let check = padded(finding.check.rawValue, checkWidth)
        let margin = String(repeating: " ", count: verdictWidth + checkWidth + 4)
        return "\(verdict)  \(check)  \(finding.what)\n" + (finding.advice.map { "\(margin)-> \($0)\n" } ?? "")
    }

    /// One JSON object a line.
    package static func json(_ finding: Finding) -> String {
        finding.json + "\n"
    }

    /// For the chat, where letters have no fixed width: what is wrong comes first.
    package static func chat(_ findings: [Finding]) -> String {
        let order: [Finding.Verdict] = [.failed, .degraded, .note, .ok, .skipped]
        let lines = order.flatMap { verdict in
            findings.filter { $0.verdict == verdict }.map { finding in
                "\(verdict.rawValue), \(finding.check.rawValue): \(finding.what)"
                    + (finding.advice.map { " -> \($0)" } ?? "")
            }
        }
        return ([DoctorPhrases.summary(findings)] + lines).joined(separator: "\n")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
