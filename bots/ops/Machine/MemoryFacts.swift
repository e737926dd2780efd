/// What the machine's memory is used for, in bytes (proc_meminfo(5)).
struct MemoryFacts: Equatable {
    var total: UInt64
    /// What programs can still have without swapping.
    var available: UInt64
    /// What of that holds copies of files.
    var caches: UInt64
    var swap: UInt64
    var freeSwap: UInt64

    init?(_ text: String) {
        var facts: [Substring: UInt64] = [:]
        for line in Fields.lines(of: text) {
            guard let colon = line.firstIndex(of: ":"),
                let number = Fields.of(line[colon...].dropFirst()).first.flatMap({ UInt64($0) })
            else { continue }
            let (bytes, overflow) = number.multipliedReportingOverflow(by: 1024)
            facts[line[..<colon]] = overflow ? .max : bytes
        }
        guard let total = facts["MemTotal"], total > 0, let available = facts["MemAvailable"] ?? facts["MemFree"] else {
            return nil
        }
        self.total = total
        self.available = min(available, total)
        caches = min((facts["Cached"] ?? 0) &+ (facts["Buffers"] ?? 0), total)
        swap = facts["SwapTotal"] ?? 0
        freeSwap = min(facts["SwapFree"] ?? 0, swap)
    }
}
