internal import Synchronization

/// A value that is known later, and the tasks that wait for it.
///
/// A later value replaces an earlier one; who waited has the first.
final class Settlement<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    }

    private let state = Mutex(State())

    var current: Value? { state.withLock { $0.value } }

    func settle(_ value: Value) {
        let waiters = state.withLock { state in
            state.value = value
            defer { state.waiters = [:] }
            return state.waiters.values.map { $0 }
        }
        // Resumed outside the lock: a resumed task may ask for the value at once.
        for waiter in waiters { waiter.resume(returning: value) }
    }

    var value: Value {
        get async throws {
            let number = state.withLock { state in
                state.nextWaiter += 1
                return state.nextWaiter
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let known: Result<Value, any Error>? = state.withLock { state in
                        if let value = state.value { return .success(value) }
                        // The handler below may have run before the continuation existed.
                        if Task.isCancelled { return .failure(CancellationError()) }
                        state.waiters[number] = continuation
                        return nil
                    }
                    if let known { continuation.resume(with: known) }
                }
            } onCancel: {
                let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
                waiter?.resume(throwing: CancellationError())
            }
        }
    }
}
