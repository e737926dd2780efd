import Bellhop

/// One request for a page, made by curl(1).
struct PageVisit: Equatable {
    let url: String
    let limit: Duration

    /// No configuration file, no other protocol, no redirect followed, no pattern in the URL, nothing kept.
    var arguments: [String] {
        [
            "curl", "--disable", "--silent", "--show-error", "--globoff", "--proto", "=http,https", "--max-time",
            "\(limit.components.seconds)", "--output", "/dev/null", "--write-out",
            "%{http_code} %{time_starttransfer}\\n",
            "--url", url,
        ]
    }

    /// A server that answered is reached, whatever it said and however long the page is.
    func answer(_ result: ProgramResult) throws -> String {
        let fields = result.lines.last.map { Fields.of($0) } ?? []
        guard case .exited(let code) = result.outcome, code != 2, fields.count == 2 else {
            throw OpsFailure.program("curl", result, limit + .seconds(2))
        }
        guard let status = Int(fields[0]), status > 0 else {
            return "\(url) does not answer: \(Self.reason(result.errors, code))."
        }
        let time = Double(fields[1]).flatMap { $0.isFinite && $0 < 1_000 ? " after \(Int($0 * 1_000)) ms" : nil } ?? ""
        return "\(url) answers with status \(status)\(Self.meaning(status))\(time)."
    }

    /// What curl said, like `curl: (7) Failed to connect ...`, without its own name.
    private static func reason(_ errors: [String], _ code: Int) -> String {
        guard let line = errors.last else { return "curl ended with exit code \(code)" }
        var words = line[...]
        if words.hasPrefix("curl: ("), let end = words.firstIndex(of: ")") { words = words[end...].dropFirst(2) }
        return String(words)
    }

    private static func meaning(_ status: Int) -> String {
        switch status {
        case 200..<300: ""
        case 300..<400: " (it sends elsewhere)"
        case 400..<500: " (it refuses that)"
        case 500..<600: " (it has an error)"
        default: ""
        }
    }
}
