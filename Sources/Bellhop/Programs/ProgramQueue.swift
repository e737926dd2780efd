internal import Synchronization

/// Lets only so many programs run at once; the others wait in line, and at most so long.
///
/// The line is bounded by what may wait: one command in each conversation.
final class ProgramQueue: Sendable {
    private struct State {
        var limit: Int
        var running = 0
        var nextNumber = 0
        /// In the order of their coming.
        var waiting: [(number: Int, continuation: CheckedContinuation<Turn, Never>)] = []
    }

    /// What became of waiting.
    enum Turn: Equatable, Sendable { case come, cancelled, tooLate }

    private let state: Mutex<State>

    init(atOnce: Int) { state = Mutex(State(limit: max(atOnce, 1))) }

    /// Lets so many run from now on; those that run already go on, and count.
    func allow(atOnce: Int) {
        let come = state.withLock { state in
            state.limit = max(atOnce, 1)
            let count = min(max(state.limit - state.running, 0), state.waiting.count)
            let come = state.waiting.prefix(count).map(\.continuation)
            state.waiting.removeFirst(count)
            state.running += count
            return come
        }
        for continuation in come { continuation.resume(returning: .come) }
    }

    /// Waits for a turn, which `leave` gives back.
    func enter(within limit: Duration) async -> Turn {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let hasTurn = state.withLock { state in
            guard state.running < state.limit else { return false }
            state.running += 1
            return true
        }
        if hasTurn { return .come }
        let timer = Task { [self] in
            try await Task.sleep(for: limit)
            giveUp(number, .tooLate)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let turn: Turn? = state.withLock { state in
                    // The handler below may have run before the continuation existed.
                    if Task.isCancelled { return .cancelled }
                    if state.running < state.limit {
                        state.running += 1
                        return .come
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let turn { continuation.resume(returning: turn) }
            }
        } onCancel: {
            giveUp(number, .cancelled)
        }
    }

    /// Hands the turn to the next in line.
    func leave() {
        let next = state.withLock { state in
            // Above a limit that was lowered meanwhile nobody comes in the place of who leaves.
            guard state.running <= state.limit, !state.waiting.isEmpty else {
                state.running -= 1
                return CheckedContinuation<Turn, Never>?.none
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: .come)
    }

    private func giveUp(_ number: Int, _ turn: Turn) {
        let gone = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
        }
        gone?.resume(returning: turn)
    }
}
