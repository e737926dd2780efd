import Bellhop

extension Command {
    /// The last lines of a unit's log.
    static func log(on machine: Machine) -> Command {
        Command(
            "log", "The last lines of a systemd unit's log", Arg<UnitName>("unit"),
            Arg<Int?>("lines", "how many, at most \(LogRequest.most)")
        ) { context, unit, lines in
            let standard = context.settings(OpsSettings.self).logLines
            return try await LogRequest(unit, lines: lines ?? standard).answer(of: machine)
        }.allow(.ops).idempotent()
    }
}

/// A look at the end of a unit's log.
struct LogRequest: Equatable {
    /// The most lines that are shown.
    static let most = 200
    /// The most characters that are shown of a line.
    static let width = 400

    let unit: UnitName
    let lines: Int

    init(_ unit: UnitName, lines: Int) throws {
        guard 1...Self.most ~= lines else { throw Failure("I show 1 to \(Self.most) lines, not \(lines).") }
        self.unit = unit
        self.lines = lines
    }

    func answer(of machine: Machine) async throws -> String {
        let found = try await machine.output(of: [
            "journalctl", "--quiet", "--no-pager", "--output", "short-iso", "--lines", "\(lines)", "--unit", unit.text,
        ]).filter { !$0.isEmpty && !$0.hasPrefix("-- ") }
        guard !found.isEmpty else { return nothing }
        return found.suffix(lines).map { $0.count > Self.width ? $0.prefix(Self.width) + "…" : $0 }
            .joined(separator: "\n")
    }

    /// Without the right to read it a log looks the same as an empty one.
    private var nothing: String {
        "There is nothing in the log of \(unit.text), or I may not read it (the group systemd-journal may)."
    }
}
