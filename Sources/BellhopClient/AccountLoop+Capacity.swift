internal import BellhopXML

/// How much waits to be written.
extension AccountLoop {
    /// What this turn has collected, in bytes.
    package var collectedBytes: Int { outbox.count }

    /// What this turn has collected, and what the kernel has not taken of earlier ones, in bytes.
    package var unsentBytes: Int { outbox.count + (link?.backlog ?? 0) }
}
