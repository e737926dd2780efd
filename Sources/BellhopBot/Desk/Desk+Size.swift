internal import BellhopDiagnostics
internal import BellhopXML
package import BellhopXMPP

/// Messages that are too large for a server: split before they leave, or when it turned out that they are.
extension Desk {
    /// What our server says of the largest stanza that it takes, in bytes (XEP-0478); nil where it says nothing.
    package func announced(largestStanza bytes: Int?) { stanzaLimits.announce(bytes) }

    /// Our server ended the stream while messages of so many bytes were on their way. How many bytes may be on their way at a
    /// time from now on, and how large a message is before it is split; nil when it is not the size that was wrong.
    package func serverRefused(_ bytes: Int) -> Int? {
        guard let limit = stanzaLimits.refused(bytes) else { return nil }
        log.warning(
            "message too large", "The server does not take so much at once; from now on it gets less, in parts.",
            ["bytes": "\(bytes)", "limit": "\(limit)"])
        return limit
    }

    /// Says a queued message in parts, in place of its row, if it has become too large to be sent; false if it has not.
    package func splitIfTooLarge(_ row: RowID, _ message: OutgoingMessage, at moment: Moment) -> Bool {
        guard !stanzaLimits.hold(message) else { return false }
        sayInParts(row, message, isWhole: ledger.queued(row)?.isWhole ?? true, reason: Self.tooLarge, at: moment)
        return true
    }

    /// A message came back: if that was for its size, it is said again in smaller parts. False if it was not, or no smaller
    /// part helps.
    func wasTooLarge(_ row: RowID, _ error: StanzaError, _ bounce: Element, at moment: Moment) -> Bool {
        guard Self.sizeConditions.contains(error.condition) else { return false }
        // Whoever blocks us says so with the same condition (XEP-0191).
        let isBlocked = bounce.children.contains { $0.children.contains { $0.namespace == Self.blockingErrors } }
        guard !isBlocked, let (message, isWhole) = ledger.queued(row) else { return false }
        let bytes = StanzaSize.of(message)
        guard bytes > StanzaSize.guaranteed, message.body != nil, !isPaused,
            let limit = stanzaLimits.refused(bytes, by: message.to.domain)
        else { return false }
        log.warning(
            "message too large", "A message came back for its size; it is said again in parts.",
            ["to": message.to.bareText, "bytes": "\(bytes)", "limit": "\(limit)"])
        let reason = error.condition.rawValue + "; " + Self.saidInParts
        return sayInParts(row, message, isWhole: isWhole, reason: reason, at: moment)
    }

    /// With what servers send back what is too large for them.
    private static let sizeConditions: Set<StanzaError.Condition> = [
        .policyViolation, .notAcceptable, .resourceConstraint,
    ]
    private static let blockingErrors = "urn:xmpp:blocking:errors"
    /// The reason of a row that was never taken.
    static let tooLarge = "too large for the server"
    /// Stands behind the reason of a row whose text was said in others.
    static let saidInParts = "said again in parts"

    /// Queues the parts of a message as rows that continue its row, and closes that one.
    @discardableResult
    private func sayInParts(
        _ row: RowID, _ message: OutgoingMessage, isWhole: Bool, reason: String, at moment: Moment
    ) -> Bool {
        let parts = split(message, isComplete: isWhole)
        guard let written = write(parts, answering: row, ordinal: 1, isHeld: false, at: moment) else {
            ledger.markFailed(row, reason: Self.tooLarge)
            outgoing.settle(row, .failed(Self.tooLarge))
            return false
        }
        ledger.markFailed(row, reason: reason == Self.tooLarge ? reason + "; " + Self.saidInParts : reason)
        outgoing.follow(row, as: written.row)
        return true
    }

    /// Writes a message that is too large as several; where not even a part fits, its own row is written, and fails.
    func writeParts(
        of message: OutgoingMessage, answering row: RowID?, ordinal: Int, isHeld: Bool, at moment: Moment
    ) -> Written {
        let parts = split(message, isComplete: true)
        if let written = write(parts, answering: row, ordinal: ordinal, isHeld: isHeld, at: moment) { return written }
        let queued = ledger.queue(message, answering: row, ordinal: ordinal, at: moment.clock)
        ledger.markFailed(queued.row, reason: Self.tooLarge)
        return Written(row: queued.row, parts: 0)
    }

    private func split(_ message: OutgoingMessage, isComplete: Bool) -> [OutgoingMessage] {
        let split = MessageSplitter(message, limit: stanzaLimits.limit(for: message.to), isComplete: isComplete)
        if split.lacksPayloads || split.isCut {
            log.error(
                "message too large",
                split.lacksPayloads
                    ? "Extension elements were left out of a message: alone they are larger than the server takes."
                    : "The end of a text was left out: it is longer than what is sent at once.",
                ["to": message.to.bareText, "limit": "\(stanzaLimits.limit(for: message.to))"])
        }
        return split.parts
    }

    private func write(
        _ parts: [OutgoingMessage], answering row: RowID?, ordinal: Int, isHeld: Bool, at moment: Moment
    ) -> Written? {
        guard let first = parts.first else { return nil }
        var written = writeWhole(first, answering: row, ordinal: ordinal, isHeld: isHeld, at: moment)
        for part in parts.dropFirst() {
            _ = writeWhole(
                part, answering: row, ordinal: Self.ordinal(ofPart: written.parts, behind: ordinal), isHeld: isHeld,
                at: moment)
            written.parts += 1
        }
        return written
    }

    /// Answers of handlers count on; what the desk itself says has numbers of its own, and so have their parts.
    private static func ordinal(ofPart part: Int, behind first: Int) -> Int {
        switch first {
        case 1..<1_000_000: first + part
        default: 10_000_000 + first % 1_000_000 * 1_000 + part
        }
    }

    /// Requests of the bot's code that could not say so were refused.
    func noteRefused(_ count: Int) {
        guard count > 0 else { return }
        log.error(
            "too many requests",
            "The bot's code asked for more than can be taken up, and some of it was refused; it should await each send.",
            ["refused": "\(count)"])
    }
}
