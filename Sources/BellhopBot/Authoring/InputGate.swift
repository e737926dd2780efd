internal import BellhopXML
internal import Synchronization

/// Bounds what the code of authors may have posted to the loop before the loop has taken it up: answers of handlers, and
/// what is asked of the `BotHandle`. Ends of handlers always pass, since there is one for each.
///
/// When it is full, answers are dropped, and the desk says so where a run has said too much; requests are refused, with an
/// error where the call can throw. So a loop in a handler eats no memory.
final class InputGate: Sendable {
    /// Answers of one run: one more than the desk lets leave, so that it sees that there were more.
    static let repliesPerRun = Desk.replyLimit + 1
    /// Answers of all runs together.
    static let replyLimit = 65_536
    /// Requests of all code together.
    static let requestLimit = 4_096
    /// What all of them may hold of texts, in bytes, each kind by itself.
    static let byteLimit = 16 * 1_024 * 1_024

    private struct State {
        var replies: [RunID: Int] = [:]
        var replyCount = 0
        var replyBytes = 0
        var requestCount = 0
        var requestBytes = 0
        var refused = 0
    }

    private let state = Mutex(State())

    /// Whether the answer may be posted; then it is counted until `took`.
    func lets(_ reply: Reply, of run: RunID) -> Bool {
        let bytes = Self.bytes(reply.text, reply.payloads)
        return state.withLock { state in
            let count = state.replies[run] ?? 0
            guard count < Self.repliesPerRun, state.replyCount < Self.replyLimit, state.replyBytes < Self.byteLimit
            else { return false }
            state.replies[run] = count + 1
            state.replyCount += 1
            state.replyBytes += bytes
            return true
        }
    }

    /// The desk has taken the answer up.
    func took(_ reply: Reply, of run: RunID) {
        let bytes = Self.bytes(reply.text, reply.payloads)
        state.withLock { state in
            guard let count = state.replies[run] else { return }
            state.replies[run] = count > 1 ? count - 1 : nil
            state.replyCount -= 1
            state.replyBytes -= bytes
        }
    }

    /// Whether the request may be posted; then it is counted until `took`.
    func lets(_ request: BotRequest) -> Bool {
        let bytes = Self.bytes(of: request)
        return state.withLock { state in
            guard state.requestCount < Self.requestLimit, state.requestBytes < Self.byteLimit else {
                state.refused += 1
                return false
            }
            state.requestCount += 1
            state.requestBytes += bytes
            return true
        }
    }

    /// The desk has taken the request up. Returns how many were refused since it last asked.
    func took(_ request: BotRequest) -> Int {
        let bytes = Self.bytes(of: request)
        return state.withLock { state in
            state.requestCount -= 1
            state.requestBytes -= bytes
            defer { state.refused = 0 }
            return state.refused
        }
    }

    private static func bytes(of request: BotRequest) -> Int {
        switch request.kind {
        case .send(let sent): bytes(sent.text, sent.payloads)
        case .presence(_, let status): status?.utf8.count ?? 0
        case .contacts, .remove: 0
        case .add(_, let name, let groups): (name?.utf8.count ?? 0) + groups.reduce(0) { $0 + $1.utf8.count }
        }
    }

    /// Extension elements are counted flatly: what is large is their number.
    private static func bytes(_ text: String, _ payloads: [Element]) -> Int {
        text.utf8.count + payloads.count * 1_024
    }
}
