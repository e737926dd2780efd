package import BellhopXML
package import BellhopXMPP

/// Counts what goes over one stream in both directions, and keeps what the server has not acknowledged (XEP-0198).
///
/// Numbers are counts modulo 2^32, as on the wire: `h` says how many stanzas were handled, so nothing is paired with a
/// stanza's number. Our count begins with `<enable/>`, the server's with `<enabled/>`; a resumption sets neither back.
package struct StreamManagement: Equatable, Sendable {
    /// What the server says of a count of ours that cannot be.
    package enum Fault: Error, Equatable, Sendable {
        /// It has handled more than we sent.
        case tooHigh(handled: UInt32, sent: UInt32)
        /// It has handled less than it said before.
        case backwards(handled: UInt32, before: UInt32)
        /// An answer without a number.
        case unreadable
        /// It answers nothing, and so much waits for its word that no more is kept.
        case unacknowledged(count: Int)
    }

    private enum State: Equatable, Sendable {
        /// `<enable/>` is out. Next: `enabled`, or the caller drops it all on `<failed/>`.
        case enabling
        /// Both sides count; `id` is nil where the stream cannot be resumed.
        case enabled(id: String?, location: HostAddress?)
    }

    /// What the stream may hold unacknowledged; what comes then waits with its owner. The reader never waits.
    package static let limit = 5_000
    /// Requests, their answers and presence do not wait; with so much in it the stream is given up.
    package static let most = 2 * limit
    /// So many stanzas are acknowledged without being asked: servers cut off a client that says nothing for long.
    private static let unaskedAfter: UInt32 = 50
    /// So many stanzas go out before the server is asked, or so much time.
    private static let askAfter = 50
    private static let askWithin: Duration = .milliseconds(250)

    private var state = State.enabling
    /// What we sent and the server has not acknowledged.
    package private(set) var queue = OutgoingQueue()
    /// The server's last word on how much it handled.
    package private(set) var acknowledged: UInt32
    /// How many stanzas came in.
    package private(set) var handled: UInt32
    /// What of that is in the journal, so that it may be told.
    private var stored: UInt32
    /// What we told the server last of that.
    private var told: UInt32
    private var isAsked = false
    /// Whether the server has heard an older count than it asked for.
    private var isPutOff = false
    /// Stanzas written since the server was asked for its count, and when to ask at the latest.
    private var unasked = 0
    private var askDue: Duration?
    /// Whether what a later process needs to know has changed since it was stored.
    package private(set) var isDirty = false

    /// `<enable/>` is being written.
    package init() {
        acknowledged = 0
        handled = 0
        stored = 0
        told = 0
    }

    /// The stream of an earlier process, before its resumption.
    package init(_ record: StoredStream) {
        state = .enabled(id: record.id, location: record.location)
        queue = record.queue
        acknowledged = record.acknowledged
        handled = record.handled
        stored = record.handled
        told = record.handled
    }

    /// The request that turns it on, with the time in seconds that the server shall keep a broken stream.
    package static var enable: Element {
        Element("enable", namespace: Namespace.streamManagement).with("resume", "true").with("max", "600")
    }

    // MARK: What goes out

    /// How many stanzas were written, as the server counts them.
    package var sent: UInt32 { acknowledged &+ UInt32(truncatingIfNeeded: queue.count) }

    /// Whether what is to be sent has to wait for acknowledgements.
    package var isFull: Bool { queue.count >= Self.limit }

    /// Why the stream cannot go on though nothing broke; nil where it can.
    package var overflow: Fault? { queue.count >= Self.most ? .unacknowledged(count: queue.count) : nil }

    /// A message of the journal was written; row 0 stands for one that is in no journal.
    package mutating func sent(row: Int64, now: Duration) {
        queue.append(row: row)
        noteSent(now)
    }

    /// A stanza was written that is no message of the journal.
    package mutating func sent(_ entry: OutgoingQueue.Entry, now: Duration) {
        queue.append(entry)
        noteSent(now)
    }

    private mutating func noteSent(_ now: Duration) {
        isDirty = true
        unasked += 1
        if askDue == nil { askDue = now + Self.askWithin }
    }

    /// When the server wants to be asked; nil while everything is asked for.
    package var deadline: Duration? { askDue }

    /// Whether `<r/>` belongs behind what was just written.
    package mutating func takeRequest(now: Duration, atOnce: Bool = false) -> Bool {
        guard let askDue else { return false }
        guard atOnce || unasked >= Self.askAfter || askDue <= now else { return false }
        unasked = 0
        self.askDue = nil
        return true
    }

    /// The server has handled so many of ours: drops them, and says which rows were among them.
    package mutating func acknowledged(_ count: UInt32) throws(Fault) -> [Int64] {
        let new = count &- acknowledged
        guard new < 1 << 31 else { throw .backwards(handled: count, before: acknowledged) }
        guard new <= UInt32(truncatingIfNeeded: queue.count) else { throw .tooHigh(handled: count, sent: sent) }
        let removed = queue.removeFirst(Int(new))
        acknowledged = count
        // A stanza names a person; it is not left in the file until somebody writes again.
        if removed.hadStanza { isDirty = true }
        if queue.count == 0 {
            unasked = 0
            askDue = nil
        }
        return removed.rows
    }

    // MARK: What comes in

    /// A message, presence or iq came in, whatever is in it.
    package mutating func received(isMessage: Bool) {
        guard case .enabled = state else { return }
        handled &+= 1
        if isMessage { isDirty = true }
    }

    /// The server asked for our count.
    package mutating func receivedRequest() {
        isAsked = true
        isPutOff = false
    }

    /// Everything that came in is in the journal.
    package mutating func noteStored() { stored = handled }

    /// Whether our count is to be told with this turn; what it counts must be stored before.
    package var owesAnswer: Bool {
        guard case .enabled = state else { return false }
        return isAsked || handled &- told >= Self.unaskedAfter
    }

    /// The answer, which is owed no longer.
    package mutating func takeAnswer() -> Element {
        isAsked = false
        told = handled
        return answer
    }

    /// What a server hears that asks while nothing can be stored: an older count, once. A server that hears nothing at all
    /// takes us for dead.
    package mutating func takeOldAnswer() -> Element? {
        guard case .enabled = state, isAsked, !isPutOff else { return nil }
        isPutOff = true
        told = stored
        return answer
    }

    private var answer: Element { Element("a", namespace: Namespace.streamManagement).with("h", "\(told)") }

    /// What is to be stored with this turn; nil when nothing is, or nothing could be resumed with it.
    package mutating func takeChange(bound: JID) -> StoredStream? {
        guard isDirty || (owesAnswer && handled != told) else { return nil }
        guard let record = stored(bound: bound) else { return nil }
        isDirty = false
        return record
    }

    /// What resuming the stream takes; nil where the server does not let us.
    package func stored(bound: JID) -> StoredStream? {
        guard case .enabled(let id?, let location) = state else { return nil }
        return StoredStream(
            id: id, bound: bound, location: location, handled: handled, acknowledged: acknowledged, queue: queue)
    }

    // MARK: The stream's beginning and end

    /// The server keeps count from here on: what it says of resuming.
    package mutating func receivedEnabled(_ enabled: Element) {
        guard case .enabling = state else { return }
        let isResumable = enabled["resume"].map { $0 == "true" || $0 == "1" } ?? false
        let id = enabled["id"].flatMap { $0.isEmpty || $0.utf8.count > StoredStream.longestID ? nil : $0 }
        state = .enabled(id: isResumable ? id : nil, location: enabled["location"].flatMap { HostAddress($0) })
        handled = 0
        stored = 0
        told = 0
        isDirty = true
    }

    /// Whether `<enabled/>` has come.
    package var isEnabled: Bool {
        switch state {
        case .enabling: false
        case .enabled: true
        }
    }

    /// Whether a broken stream can be taken up again.
    package var isResumable: Bool {
        switch state {
        case .enabled(.some, _): true
        case .enabling, .enabled(nil, _): false
        }
    }

    /// Where the server would like the stream to be resumed; nil where it does not care.
    package var location: HostAddress? {
        switch state {
        case .enabled(_, let location): location
        case .enabling: nil
        }
    }

    /// `<resume/>` is going to be written. What is in memory only counts as not received: the server sends it again.
    package mutating func resuming() { handled = stored }

    /// The stream goes on: rows that the server had handled, and what is to be written again, in order, before anything new.
    package mutating func resumed(_ count: UInt32) throws(Fault) -> (
        acknowledged: [Int64], again: [OutgoingQueue.Entry]
    ) {
        let rows = try acknowledged(count)
        let again = queue.all.filter { $0 != .counted }
        // Written again, they take their numbers from here on.
        queue = OutgoingQueue()
        unasked = 0
        askDue = nil
        isAsked = false
        isPutOff = false
        told = handled
        isDirty = true
        return (rows, again)
    }

    /// The stream is lost: rows that the server had handled, where it says so, and what nobody knows of.
    package mutating func lost(_ count: UInt32?) -> (acknowledged: [Int64], uncertain: OutgoingQueue) {
        var rows: [Int64] = []
        // A number that cannot be says nothing.
        if let count { rows = (try? acknowledged(count)) ?? [] }
        let uncertain = queue
        queue = OutgoingQueue()
        return (rows, uncertain)
    }

    /// The number in `h`; nil when there is none that can be read.
    package static func count(in element: Element) -> UInt32? {
        guard let text = element["h"], text.utf8.count <= 10, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return UInt32(text)
    }
}
