internal import Synchronization

/// What has happened and was not asked for yet, and who waits for what.
///
/// Facts stay in order until somebody picks them; a wait ends with the fact it wants, with the end of all facts, or when
/// its patience is over, and then says what there was instead.
package final class Mailbox<Fact: Sendable>: Sendable {
    private struct Waiter {
        var number: Int
        /// Takes a fact it wants, and resumes the one who waits.
        var accept: @Sendable (Fact) -> Bool
        var fail: @Sendable (TestServerFailure.Reason) -> Void
    }

    private struct State {
        var facts: [Fact] = []
        var waiters: [Waiter] = []
        var nextNumber = 0
        /// Waits that were given up before they had begun.
        var givenUp: [Int: TestServerFailure.Reason] = [:]
        var end: String?
    }

    private let state = Mutex(State())
    private let describe: @Sendable (Fact) -> String

    package init(describe: @escaping @Sendable (Fact) -> String) { self.describe = describe }

    /// Hands the fact to the one who waits for it longest, or keeps it.
    package func post(_ fact: Fact) {
        state.withLock { state in
            for index in state.waiters.indices where state.waiters[index].accept(fact) {
                state.waiters.remove(at: index)
                return
            }
            state.facts.append(fact)
        }
    }

    /// No further fact will come.
    package func end(_ reason: String) {
        let waiters = state.withLock { state in
            state.end = state.end ?? reason
            let waiters = state.waiters
            state.waiters = []
            return waiters.map(\.fail)
        }
        for fail in waiters { fail(.ended(reason)) }
    }

    /// Whether nothing comes any more.
    package var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// All that waits to be picked, in words.
    package var left: [String] { state.withLock { $0.facts.map(describe) } }

    /// What waits to be picked and is of this kind, in words.
    func left(_ isMeant: (Fact) -> Bool) -> [String] {
        state.withLock { $0.facts }.filter(isMeant).map(describe)
    }

    /// Takes out the first fact that is here now and for which `pick` gives a value.
    func takeNow<Value>(_ pick: (Fact) -> Value?) -> Value? {
        state.withLock { state in
            for index in state.facts.indices {
                guard let value = pick(state.facts[index]) else { continue }
                state.facts.remove(at: index)
                return value
            }
            return nil
        }
    }

    /// Takes out the first fact for which `pick` gives a value, now or later.
    package func take<Value: Sendable>(
        _ wanted: String, patience: Duration, _ pick: @escaping @Sendable (Fact) -> Value?
    ) async throws -> Value {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let timer = Task {
            do {
                try await Task.sleep(for: patience)
                fail(number, .impatient(patience))
            } catch {
                return
            }
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { wait(number, $0, pick) }
        } onCancel: {
            fail(number, .cancelled)
        }
        timer.cancel()
        state.withLock { _ = $0.givenUp.removeValue(forKey: number) }
        switch outcome {
        case .value(let value): return value
        case .failed(let reason): throw TestServerFailure(wanted: wanted, reason: reason, instead: left)
        }
    }

    private enum Outcome<Value: Sendable>: Sendable {
        case value(Value)
        case failed(TestServerFailure.Reason)
    }

    private func wait<Value: Sendable>(
        _ number: Int, _ continuation: CheckedContinuation<Outcome<Value>, Never>,
        _ pick: @escaping @Sendable (Fact) -> Value?
    ) {
        let outcome: Outcome<Value>? = state.withLock { state in
            for index in state.facts.indices {
                guard let value = pick(state.facts[index]) else { continue }
                state.facts.remove(at: index)
                return .value(value)
            }
            if let reason = state.givenUp[number] { return .failed(reason) }
            if let end = state.end { return .failed(.ended(end)) }
            state.waiters.append(
                Waiter(
                    number: number,
                    accept: { fact in
                        guard let value = pick(fact) else { return false }
                        continuation.resume(returning: .value(value))
                        return true
                    }, fail: { continuation.resume(returning: .failed($0)) }))
            return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    private func fail(_ number: Int, _ reason: TestServerFailure.Reason) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
                state.givenUp[number] = reason
                return nil
            }
            return state.waiters.remove(at: index)
        }
        waiter?.fail(reason)
    }
}
