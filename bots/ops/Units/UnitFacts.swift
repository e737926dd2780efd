/// What systemd knows of a unit, from `systemctl show` (org.freedesktop.systemd1(5)).
struct UnitFacts: Equatable {
    /// What is asked for.
    static let properties = [
        "Id", "Description", "LoadState", "LoadError", "ActiveState", "SubState", "UnitFileState", "Result",
        "StateChangeTimestampMonotonic", "MainPID", "NRestarts", "TasksCurrent", "MemoryCurrent", "ExecMainStatus",
    ]

    private let values: [Substring: Substring]

    init(_ lines: [String]) {
        var values: [Substring: Substring] = [:]
        for line in lines {
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[line[..<equals]] = line[equals...].dropFirst()
        }
        self.values = values
    }

    /// Nil where it is not set.
    private func text(_ key: Substring) -> String? { values[key].flatMap { $0.isEmpty ? nil : String($0) } }

    /// Nil where it is not set, or counted by nobody, for which systemd writes the largest number.
    private func number(_ key: Substring) -> UInt64? {
        values[key].flatMap { UInt64($0) }.flatMap { $0 == .max ? nil : $0 }
    }

    var isKnown: Bool { text("LoadState") != "not-found" && text("LoadState") != nil }
    var isFailed: Bool { text("ActiveState") == "failed" }

    /// A few lines for people; `uptime` in seconds, to say for how long.
    func report(of name: UnitName, uptime: UInt64?) -> String {
        guard let load = text("LoadState") else { return "systemctl says nothing about \(name.text)." }
        if load == "not-found" { return "There is no unit \(name.text) on this machine." }
        var lines = ["\(text("Id") ?? name.text): \(state)\(since(uptime))"]
        if let description = text("Description") { lines.append(description) }
        if load != "loaded" {
            lines.append("not loaded properly: \(load)" + (text("LoadError").map { ", \($0)" } ?? ""))
        }
        let facts = [
            text("UnitFileState"), number("MainPID").flatMap { $0 > 0 ? "process \($0)" : nil },
            number("TasksCurrent").map { $0 == 1 ? "1 task" : "\($0) tasks" },
            number("MemoryCurrent").map { "memory \(ByteText.show($0))" },
            number("NRestarts").flatMap { $0 > 0 ? "restarted by itself \($0) times" : nil },
        ].compactMap { $0 }
        if !facts.isEmpty { lines.append(facts.joined(separator: ", ")) }
        return lines.joined(separator: "\n")
    }

    private var state: String {
        var state = text("ActiveState") ?? "unknown"
        if let sub = text("SubState"), sub != state { state += " (\(sub))" }
        if isFailed, let result = text("Result") {
            let status = number("ExecMainStatus").flatMap { $0 > 0 ? " \($0)" : nil } ?? ""
            state += " (\(result)\(status))"
        }
        return state
    }

    private func since(_ uptime: UInt64?) -> String {
        guard let uptime, let change = number("StateChangeTimestampMonotonic"), change > 0,
            let elapsed = Optional(uptime.subtractingReportingOverflow(change / 1_000_000)), !elapsed.overflow
        else { return "" }
        return " for \(TimeText.show(seconds: elapsed.partialValue))"
    }
}
