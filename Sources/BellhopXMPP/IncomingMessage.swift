public import BellhopXML

/// The `type` of a message stanza; an absent or unknown one means `normal` (RFC 6121 section 5.2.2).
public enum MessageType: String, Sendable { case chat, normal, groupchat, headline, error }

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
    public var thread: String?
    /// The body as it stood in the stanza, in the language chosen; nil when there was none.
    public var body: String?
    /// What the person meant: reply fallback cut off. This is what commands are read from; equal to `body` mostly.
    public var text: String?
    /// When it was written, from the earliest `<delay/>` that our server, its domain or our bare JID wrote.
    public var delay: Timestamp?
    /// Why no command may run from it; nil for a live chat or normal message with a text.
    public var obstacle: Obstacle?
    /// The stanza itself, for handlers that read extension elements.
    public var stanza: Element

    /// What kind of message it is that no command runs from; stored with the row.
    public enum Obstacle: String, Sendable {
        case error, headline, groupchat, own, noSender, carbon, forgedCarbon, archive, stale, noBody, emptyBody
        case encrypted, correction, reaction, receipt
    }

    public init(stanza: Element, type: MessageType) {
        self.stanza = stanza
        self.type = type
    }
}
