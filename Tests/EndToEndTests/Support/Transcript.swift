import Synchronization

/// What a process wrote to one of its streams, line by line, and those who wait for a line of it.
final class Transcript: Sendable {
    private struct Waiter {
        var matches: @Sendable (String) -> Bool
        var continuation: CheckedContinuation<String?, any Error>
    }

    private struct State {
        var unfinished: [UInt8] = []
        var bytes: [UInt8] = []
        var lines: [String] = []
        var isClosed = false
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// The lines that were complete when this was asked.
    var lines: [String] { state.withLock { $0.lines } }

    /// Takes what the process wrote.
    func append(_ bytes: [UInt8]) {
        state.withLock { state in
            state.bytes += bytes
            for byte in bytes {
                if byte == UInt8(ascii: "\n") {
                    Transcript.finishLine(&state)
                } else {
                    state.unfinished.append(byte)
                }
            }
        }
    }

    /// The stream has ended; a last line without a newline counts.
    func close() {
        state.withLock { state in
            if !state.unfinished.isEmpty { Transcript.finishLine(&state) }
            state.isClosed = true
            for waiter in state.waiters.values { waiter.continuation.resume(returning: nil) }
            state.waiters = [:]
        }
    }

    private static func finishLine(_ state: inout State) {
        let line = String(decoding: state.unfinished, as: UTF8.self)
        state.unfinished = []
        state.lines.append(line)
        for (number, waiter) in state.waiters where waiter.matches(line) {
            state.waiters[number] = nil
            waiter.continuation.resume(returning: line)
        }
    }

    /// The first line, from the beginning on, that contains the words; nil when the stream ended without one.
    /// Throws `CancellationError` when the waiting task is cancelled, as a time limit of a test does.
    func line(containing words: String) async throws -> String? {
        try await line { $0.contains(words) }
    }

    /// The first line, from the beginning on, that matches; nil when the stream ended without one.
    func line(where matches: @escaping @Sendable (String) -> Bool) async throws -> String? {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    if state.cancelled.remove(number) != nil {
                        continuation.resume(throwing: CancellationError())
                    } else if let line = state.lines.first(where: matches) {
                        continuation.resume(returning: line)
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

    /// Everything that the process wrote, once it has closed the stream.
    func everything() async throws -> String {
        _ = try await line { _ in false }
        return state.withLock { String(decoding: $0.bytes, as: UTF8.self) }
    }
}
