/// All processes at one moment (proc_pid_stat(5)).
struct ProcessTable {
    struct Process: Equatable {
        var name: String
        /// When it began, in ticks since the start of the machine; tells two processes of one number apart.
        var start: UInt64
        /// The time that it had, in ticks.
        var ticks: UInt64
        /// What of its memory is in use, in pages.
        var pages: UInt64
    }

    /// A machine that has more is not listed further.
    static let most = 50_000

    var processors: Processors
    var processes: [Int: Process] = [:]

    init(_ machine: Machine) throws {
        processors = try Processors(machine)
        let numbers = machine.names(machine.root + "/proc").compactMap { Int($0) }.prefix(Self.most)
        for number in numbers {
            // A process may end while the others are read.
            guard let line = try? machine.read("/proc/\(number)/stat", limit: 4_096) else { continue }
            processes[number] = Process(line)
        }
    }
}

extension ProcessTable.Process {
    /// Reads a line like `812 (nginx) S 1 ...`; the name may hold blanks and brackets itself.
    init?(_ line: String) {
        guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close else { return nil }
        let fields = Fields.of(line[close...].dropFirst().prefix { $0 != "\n" })
        guard fields.count > 21, let user = UInt64(fields[11]), let system = UInt64(fields[12]),
            let start = UInt64(fields[19]), let pages = Int64(fields[21])
        else { return nil }
        self.init(
            name: String(line[line.index(after: open)..<close]), start: start, ticks: user &+ system,
            pages: UInt64(max(pages, 0)))
    }
}
