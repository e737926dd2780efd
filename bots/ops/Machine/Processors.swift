/// The processors of the machine and what they did since it was started (proc_stat(5)).
struct Processors: Equatable {
    /// How many are at work; at least one.
    var count: Int
    /// The time of all of them, working or idle, in ticks.
    var ticks: UInt64

    init(count: Int, ticks: UInt64) {
        self.count = max(count, 1)
        self.ticks = ticks
    }

    init(_ machine: Machine) throws {
        let path = "/proc/stat"
        let lines = Fields.lines(of: try machine.read(path)).filter { $0.hasPrefix("cpu") }
        guard let total = lines.first(where: { $0.hasPrefix("cpu ") }) else { throw OpsFailure.notUnderstood(path) }
        // The time of guests, behind the eighth number, is in that of user and nice already.
        let times = Fields.of(total).dropFirst().prefix(8).map { UInt64($0) ?? 0 }
        self.init(count: lines.count - 1, ticks: times.reduce(0, &+))
    }
}
