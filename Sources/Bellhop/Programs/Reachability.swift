internal import BellhopTransport
internal import Synchronization

/// Whether a port of a host takes connections.
public enum Reachability: Sendable, Equatable {
    /// Over this numeric address.
    case connected(address: String)
    /// What was tried and why it failed, without a full stop.
    case unreachable(String)

    /// Connects to a host, a name or a numeric address without brackets, and hangs up at once.
    ///
    /// Returns within the limit whatever the name servers do; a thread may stay with them a while longer.
    public static func of(host: String, port: UInt16, within limit: Duration) async -> Reachability {
        let answer = Answer()
        let timer = Task {
            try await Task.sleep(for: limit)
            answer.settle(.unreachable("no answer in time"))
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                do {
                    try LoopThread.start("reach") {
                        answer.settle(dial(Endpoint(host: host, port: port), within: limit))
                    }
                } catch {
                    answer.settle(.unreachable("\(error)"))
                }
            }
        } onCancel: {
            answer.settle(.unreachable("it was cancelled"))
        }
    }

    private static func dial(_ endpoint: Endpoint, within limit: Duration) -> Reachability {
        do throws(TransportError) {
            let socket = try Dialer().connect(to: endpoint, until: MonotonicClock.now() + limit)
            return .connected(address: socket.address)
        } catch {
            return .unreachable("\(error)")
        }
    }

    /// The first answer counts, whoever gives it and whether or not somebody waits already.
    private final class Answer: Sendable {
        private enum State {
            case open
            case waiting(CheckedContinuation<Reachability, Never>)
            case settled(Reachability)
            case taken
        }

        private let state = Mutex(State.open)

        func wait(_ continuation: CheckedContinuation<Reachability, Never>) {
            let known: Reachability? = state.withLock { state in
                guard case .settled(let known) = state else {
                    state = .waiting(continuation)
                    return nil
                }
                state = .taken
                return known
            }
            if let known { continuation.resume(returning: known) }
        }

        func settle(_ answer: Reachability) {
            let waiting: CheckedContinuation<Reachability, Never>? = state.withLock { state in
                switch state {
                case .open:
                    state = .settled(answer)
                    return nil
                case .waiting(let continuation):
                    state = .taken
                    return continuation
                case .settled, .taken: return nil
                }
            }
            waiting?.resume(returning: answer)
        }
    }
}
