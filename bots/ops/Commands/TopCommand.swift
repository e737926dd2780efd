import Bellhop

extension Command {
    /// Who uses the processors and the memory.
    static func top(on machine: Machine) -> Command {
        Command("top", "Which processes use most", Arg<Int>("count", "how many, at most 20", default: 5)) {
            _, count in
            guard 1...20 ~= count else { throw Failure("I list 1 to 20 processes, not \(count).") }
            let before = try ProcessTable(machine)
            try await machine.pause()
            return TopReport(from: before, to: try ProcessTable(machine)).text(count: count, of: machine)
        }.allow(.ops).idempotent()
    }
}

/// What the processes did between two looks.
struct TopReport: Equatable {
    struct Row: Equatable {
        var number: Int
        var name: String
        /// Of one processor, in percent; several threads can have more than 100.
        var use: Int
        /// In pages.
        var pages: UInt64
    }

    var rows: [Row] = []

    init(from before: ProcessTable, to after: ProcessTable) {
        let (passed, isBackwards) = after.processors.ticks.subtractingReportingOverflow(before.processors.ticks)
        for (number, process) in after.processes {
            var ticks = process.ticks
            if let old = before.processes[number], old.start == process.start { ticks &-= min(old.ticks, ticks) }
            rows.append(
                Row(
                    number: number, name: process.name,
                    use: isBackwards ? 0 : Self.percent(ticks, of: passed, processors: after.processors.count),
                    pages: process.pages))
        }
    }

    private static func percent(_ ticks: UInt64, of passed: UInt64, processors: Int) -> Int {
        guard passed > 0 else { return 0 }
        let all = Double(processors) * 100
        return Int(min(Double(ticks) / Double(passed) * all, all).rounded())
    }

    /// The busiest, then the largest; who has ended since is without a size.
    func text(count: Int, of machine: Machine) -> String {
        let busy = rows.filter { $0.use > 0 }.sorted { ($1.use, $0.number) < ($0.use, $1.number) }.prefix(count)
        let large = rows.filter { $0.pages > 0 }.sorted { ($1.pages, $0.number) < ($0.pages, $1.number) }.prefix(count)
        var lines = [busy.isEmpty ? "No process was busy for the last second." : "Busiest:"]
        lines += busy.map { "\($0.use) % \(Self.name($0))" }
        lines.append("Largest:")
        lines += large.map { row in
            "\(Self.size(of: row.number, machine).map(ByteText.show) ?? "ended:") \(Self.name(row))"
        }
        return lines.joined(separator: "\n")
    }

    private static func name(_ row: Row) -> String { "\(row.name) (\(row.number))" }

    /// In bytes; the count of pages says who is larger, but not how large a page is.
    private static func size(of number: Int, _ machine: Machine) -> UInt64? {
        guard let status = try? machine.read("/proc/\(number)/status", limit: 16_384),
            let line = Fields.lines(of: status).first(where: { $0.hasPrefix("VmRSS:") }),
            let size = Fields.of(line.dropFirst(6)).first.flatMap({ UInt64($0) })
        else { return nil }
        return size &* 1024
    }
}
