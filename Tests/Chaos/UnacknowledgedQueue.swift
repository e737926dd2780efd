/// What a person sent that the server has not acknowledged (XEP-0198 section 4).
struct UnacknowledgedQueue: Sendable {
    struct Entry: Equatable, Sendable {
        /// Of one of our messages; nil for any other stanza, which is not sent again in a new session.
        var id: String?
        var stanza: String
    }

    enum Fault: Error, Equatable {
        /// The server acknowledged more than was sent.
        case tooHigh(h: UInt32, sent: UInt32)
    }

    private(set) var entries: [Entry] = []
    private var acknowledged: UInt32 = 0

    /// Counting begins anew; what was not acknowledged is returned, to be sent again.
    mutating func sessionBegan() -> [Entry] {
        defer {
            entries = []
            acknowledged = 0
        }
        return entries.filter { $0.id != nil }
    }

    mutating func sent(_ entry: Entry) { entries.append(entry) }

    /// The server has handled `h` stanzas of this session; returns those of our messages that this newly covers.
    mutating func acknowledged(_ h: UInt32) throws(Fault) -> [String] {
        let count = Int(h &- acknowledged)
        guard count <= entries.count else {
            throw .tooHigh(h: h, sent: acknowledged &+ UInt32(truncatingIfNeeded: entries.count))
        }
        defer {
            entries.removeFirst(count)
            acknowledged = h
        }
        return entries.prefix(count).compactMap(\.id)
    }
}
