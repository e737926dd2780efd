import Synchronization

/// Whether the server can be reached; closed while it is down, so that nobody has to guess.
final class ServerGate: Sendable {
    private let open = Atomic<Bool>(true)

    var isOpen: Bool { open.load(ordering: .acquiring) }

    func set(open isOpen: Bool) { open.store(isOpen, ordering: .releasing) }
}
