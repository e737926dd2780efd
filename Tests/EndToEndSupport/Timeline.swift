import Synchronization

/// What happens one after the other, and those who wait for one of it.
package final class Timeline<Item: Sendable>: Sendable {
    private struct Waiter {
        var matches: @Sendable (Item) -> Bool
        var continuation: CheckedContinuation<Item?, any Error>
    }

    private struct State {
        var items: [Item] = []
        var isClosed = false
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// What has happened when this was asked.
    package var items: [Item] { state.withLock { $0.items } }

    /// How many things have happened: where to look from for what comes later.
    package var count: Int { state.withLock { $0.items.count } }

    package func append(_ item: Item) {
        let satisfied = state.withLock { state in
            state.items.append(item)
            let numbers = state.waiters.filter { $0.value.matches(item) }.keys
            return numbers.compactMap { state.waiters.removeValue(forKey: $0)?.continuation }
        }
        for continuation in satisfied { continuation.resume(returning: item) }
    }

    /// Nothing more is going to happen.
    package func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in left { continuation.resume(returning: nil) }
    }

    /// The first that matches, from the given place on; nil when the end came without one.
    ///
    /// Throws `CancellationError` when the waiting task is cancelled, as a time limit of a test does.
    package func first(from start: Int = 0, where matches: @escaping @Sendable (Item) -> Bool) async throws -> Item? {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    if state.cancelled.remove(number) != nil {
                        continuation.resume(throwing: CancellationError())
                    } else if let item = state.items.dropFirst(start).first(where: matches) {
                        continuation.resume(returning: item)
                    } else if state.isClosed {
                        continuation.resume(returning: nil)
                    } else {
                        state.waiters[number] = Waiter(matches: matches, continuation: continuation)
                    }
                }
            }
        } onCancel: {
            state.withLock { state in
                if let waiter = state.waiters.removeValue(forKey: number) {
                    waiter.continuation.resume(throwing: CancellationError())
                } else {
                    state.cancelled.insert(number)
                }
            }
        }
    }
}
