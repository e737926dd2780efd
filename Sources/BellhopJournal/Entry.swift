package import BellhopXMPP

/// One message to be logged, as the one who brings it knows it.
package struct Entry: Sendable, Equatable {
    package var account: AccountID
    package var direction: Direction
    /// The other side's bare address.
    package var peer: String
    package var resource: String?
    package var kind: RowKind
    /// The stanza's `id`.
    package var id: String?
    package var originID: String?
    /// The id that the own server's archive gave it (XEP-0359).
    package var archiveID: String?
    package var thread: String?
    package var body: String?
    /// Extension elements, serialised.
    package var payload: String?
    /// When it was written, where a trustworthy delay says so.
    package var sentAt: Timestamp?
    /// Whether the text goes when all is done with the message (XEP-0334).
    package var isTransient = false

    package init(
        account: AccountID, direction: Direction, peer: String, resource: String? = nil, kind: RowKind = .chat,
        id: String? = nil, originID: String? = nil, archiveID: String? = nil, thread: String? = nil,
        body: String?, payload: String? = nil, sentAt: Timestamp? = nil
    ) {
        self.account = account
        self.direction = direction
        self.peer = peer
        self.resource = resource
        self.kind = kind
        self.id = id
        self.originID = originID
        self.archiveID = archiveID
        self.thread = thread
        self.body = body
        self.payload = payload
        self.sentAt = sentAt
    }
}

extension RowKind {
    /// The obstacle where there is one, else the type.
    package init(_ type: MessageType, _ obstacle: IncomingMessage.Obstacle?) {
        if let obstacle {
            self = Self(obstacle)
            return
        }
        switch type {
        case .chat: self = .chat
        case .normal: self = .normal
        case .groupchat: self = .groupchat
        case .headline: self = .headline
        case .error: self = .error
        }
    }

    private init(_ obstacle: IncomingMessage.Obstacle) {
        switch obstacle {
        case .error: self = .error
        case .headline: self = .headline
        case .groupchat: self = .groupchat
        case .own: self = .own
        case .noSender: self = .noSender
        case .carbon: self = .carbon
        case .forgedCarbon: self = .forgedCarbon
        case .archive: self = .archive
        case .stale: self = .stale
        case .noBody: self = .noBody
        case .emptyBody: self = .emptyBody
        case .encrypted: self = .encrypted
        case .correction: self = .correction
        case .reaction: self = .reaction
        case .retraction: self = .retraction
        case .domainSender: self = .domainSender
        }
    }
}
