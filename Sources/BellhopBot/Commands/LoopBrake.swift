internal import BellhopXMPP

/// Notices when the bot and another program answer each other in circles.
///
/// A message counts when it comes within ten seconds of our last answer to that person and says again what we said: its
/// body equals one of the last four, or, where it is no command, starts or ends with the last one, or repeats the
/// person's own last body. `limit` such messages in a row stop the answers; any other message sets the count back, so
/// that a real command is always answered. Messages that are commands with bodies of their own never count, however
/// fast they come.
struct LoopBrake {
    enum Verdict: Equatable {
        case answer
        /// Say nothing; `isFirst` once in each circle.
        case stop(isFirst: Bool)
    }

    fileprivate struct Exchange {
        var sent: [String] = []
        var sentAt: Duration = .zero
        var received = ""
        var circle = 0
    }

    static let window: Duration = .seconds(10)
    fileprivate static let remembered = 4
    /// Above this many persons those who were silent for longer than the window are forgotten.
    private static let capacity = 4_096

    private let limit: Int
    private var exchanges: [JID: Exchange] = [:]

    init(limit: Int) { self.limit = max(1, limit) }

    mutating func received(_ body: String, from person: JID, isCommand: Bool, now: Duration) -> Verdict {
        guard var exchange = exchanges[person] else { return .answer }
        let isRecent = now - exchange.sentAt < Self.window
        let counts = isRecent && repeats(body, exchange, isCommand: isCommand)
        // A program that goes on in the circle after we stopped finds no recent answer, and is still in the circle.
        let goesOn = exchange.circle >= limit && (exchange.sent.contains(body) || exchange.received == body)
        exchange.circle = counts || goesOn ? exchange.circle + 1 : 0
        exchange.received = body
        defer { exchanges[person] = exchange }
        guard exchange.circle >= limit else { return .answer }
        return .stop(isFirst: exchange.circle == limit)
    }

    mutating func sent(_ body: String, to person: JID, now: Duration) {
        if exchanges.count >= Self.capacity && exchanges[person] == nil {
            exchanges = exchanges.filter { now - $0.value.sentAt < Self.window }
            if exchanges.count >= Self.capacity { exchanges = [:] }
        }
        exchanges[person, default: Exchange()].note(body, now: now)
    }

    mutating func forget(_ person: JID) { exchanges[person] = nil }

    private func repeats(_ body: String, _ exchange: Exchange, isCommand: Bool) -> Bool {
        if exchange.sent.contains(body) { return true }
        guard !isCommand, let last = exchange.sent.last, !last.isEmpty else { return false }
        return body == exchange.received || body.hasPrefix(last) || body.hasSuffix(last)
    }
}

extension LoopBrake.Exchange {
    fileprivate mutating func note(_ body: String, now: Duration) {
        if sent.count == LoopBrake.remembered { sent.removeFirst() }
        sent.append(body)
        sentAt = now
    }
}
