internal import BellhopEngine
internal import BellhopXML

/// How much waits to be written, and whether there is room for more.
extension AccountLoop {
    /// What this turn has collected, in bytes.
    package var collectedBytes: Int { outbox.count }

    /// What this turn has collected, and what the kernel has not taken of earlier ones, in bytes.
    package var unsentBytes: Int { outbox.count + (link?.backlog ?? 0) }

    /// Whether `send` would write a message: the account is online, and not too much waits for acknowledgements.
    package var takesMessages: Bool {
        guard let live, live.isAnnounced else { return false }
        return live.stream.map { !$0.isFull } ?? true
    }
}
