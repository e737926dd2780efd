import Bellhop

extension Command {
    /// Which units have failed.
    static func failed(on machine: Machine) -> Command {
        Command("failed", "Which systemd units have failed") { _ in
            FailedReport(
                try await machine.output(of: [
                    "systemctl", "list-units", "--failed", "--all", "--plain", "--full", "--no-legend", "--no-pager",
                ])
            ).text
        }.allow(.ops).idempotent()
    }
}

/// The units that `systemctl list-units --failed` lists.
struct FailedReport: Equatable {
    struct Row: Equatable {
        var name: String
        var description: String
    }

    static let most = 40

    var rows: [Row] = []

    init(_ lines: [String]) {
        for line in lines {
            // Name, load state, active state, sub state, and the rest of the line.
            let fields = line.split(maxSplits: 4, omittingEmptySubsequences: true) { $0 == " " }
            guard fields.count >= 4 else { continue }
            rows.append(
                Row(
                    name: String(fields[0]),
                    description: fields.count > 4 ? Fields.of(fields[4]).joined(separator: " ") : ""))
        }
    }

    var text: String {
        guard !rows.isEmpty else { return "No unit has failed." }
        var lines = [rows.count == 1 ? "1 unit has failed:" : "\(rows.count) units have failed:"]
        lines += rows.prefix(Self.most).map { $0.description.isEmpty ? $0.name : "\($0.name): \($0.description)" }
        if rows.count > Self.most { lines.append("and \(rows.count - Self.most) more") }
        return lines.joined(separator: "\n")
    }
}
