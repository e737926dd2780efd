public import BellhopXML

/// A message to be sent: a body, extension elements, or both.
public struct OutgoingMessage: Sendable, Equatable {
    public var to: JID
    public var type: MessageType
    public var id: String
    public var thread: String?
    public var body: String?
    /// Extension elements, in order after the body.
    public var payloads: [Element]
    /// What it says of us beside its content; never stored, since it is over when the message has arrived (XEP-0085).
    package var chatState: ChatState?
    /// Since when it waits, where it could not be sent at once or is sent once more (XEP-0203).
    package var delay: Timestamp?

    public init(
        to: JID, type: MessageType = .chat, id: String, thread: String? = nil, body: String?, payloads: [Element] = []
    ) {
        self.to = to
        self.type = type
        self.id = id
        self.thread = thread
        self.body = body
        self.payloads = payloads
    }
}
