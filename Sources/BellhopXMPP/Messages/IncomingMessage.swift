public import BellhopXML

/// A message stanza as the person meant it, and why it may not be run.
public struct IncomingMessage: Sendable {
    /// Who wrote it; nil when the stanza had no (or no readable) sender.
    public var sender: JID?
    public var type: MessageType
    /// The stanza's `id`.
    public var id: String?
    /// `<origin-id/>` (XEP-0359).
    public var originID: String?
    /// `<stanza-id/>` written by our own account (XEP-0359), the only one that can be trusted.
    public var archiveID: String?
    /// The `id` of the message that this one corrects (XEP-0308).
    public var correctedID: String?
    public var thread: String?
    /// The body as it stood in the stanza, in the language chosen; nil when there was none.
    public var body: String?
    /// What the person meant: reply fallback cut off (XEP-0461); equal to `body` mostly.
    public var text: String?
    /// When it was written, from the earliest `<delay/>` that our server, its domain or our bare JID wrote (XEP-0203).
    public var delay: Timestamp?
    /// Why no command may run from it; nil for a live chat or normal message with a text.
    public var obstacle: Obstacle?
    /// The extension elements worth keeping, in order: what is left without body, subject and thread, without what
    /// only serves delivery (ids, delays, hints, receipts, markers, chat states) and without what we cannot decrypt.
    public var payloads: [Element] = []
    /// Whether its writer asks that the text is not kept: `<no-store/>` or `<no-permanent-store/>` (XEP-0334).
    package var isTransient = false
    /// The stanza itself, for handlers that read extension elements.
    public var stanza: Element

    /// What kind of message it is that no command runs from; stored with the row.
    public enum Obstacle: String, Sendable, CaseIterable {
        /// A bounce; `error` says of what kind.
        case error
        /// Of type `headline`: news that nobody expects an answer to.
        case headline
        case groupchat
        /// Written by our own account.
        case own
        /// Without a sender, or with one that cannot be read.
        case noSender
        /// From a server or a component rather than a person.
        case domainSender
        /// A copy of what another resource of our account sent or got (XEP-0280); all else says what it is a copy of.
        case carbon
        /// Such a copy, but not from our own account: drop it whole.
        case forgedCarbon
        /// A result of an archive query (XEP-0313), asked for or not.
        case archive
        /// Older than a command may be.
        case stale
        case noBody
        /// Nothing but white space, after the reply fallback is cut off.
        case emptyBody
        /// The body only says that the true text is encrypted.
        case encrypted
        /// Replaces an earlier message (XEP-0308).
        case correction
        /// An emoji on an earlier message (XEP-0444).
        case reaction
        /// Takes an earlier message back (XEP-0424).
        case retraction
    }

    public init(stanza: Element, type: MessageType) {
        self.stanza = stanza
        self.type = type
    }

    /// What commands are read from: `text` without the quoted lines at its start; empty when all of it is quoted.
    ///
    /// A line is quoted when it starts with `>` or `»`.
    public var commandText: String? { text.map(Quotation.skipped(in:)) }

    /// Why a message of ours came back; nil unless this one is of type `error`.
    public var error: StanzaError? {
        guard type == .error else { return nil }
        return StanzaError(in: stanza) ?? StanzaError(.undefinedCondition)
    }
}
