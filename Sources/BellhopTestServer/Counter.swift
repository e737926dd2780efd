internal import Synchronization

/// Numbers for ids, from 1.
final class Counter: Sendable {
    private let value = Atomic(0)

    func next() -> Int { value.add(1, ordering: .relaxed).newValue }
}
