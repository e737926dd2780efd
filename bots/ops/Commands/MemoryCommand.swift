import Bellhop

extension Command {
    /// What the memory is used for.
    static func memory(on machine: Machine) -> Command {
        Command("memory", "How much memory is in use") { _ in
            let path = "/proc/meminfo"
            guard let facts = MemoryFacts(try machine.read(path)) else { throw OpsFailure.notUnderstood(path) }
            return facts.report
        }.allow(.ops).idempotent()
    }
}

extension MemoryFacts {
    /// Two lines for people.
    var report: String {
        let used = total &- available
        let memory =
            "Memory \(Share(used, of: total)): \(ByteText.show(available)) of \(ByteText.show(total)) available, "
            + "\(ByteText.show(caches)) are copies of files."
        guard swap > 0 else { return memory + "\nNo swap." }
        let usedSwap = swap &- freeSwap
        return memory
            + "\nSwap \(Share(usedSwap, of: swap)): \(ByteText.show(usedSwap)) of \(ByteText.show(swap)) in use."
    }
}
