internal import BellhopBot
internal import BellhopClient
internal import BellhopEngine
internal import BellhopXMPP

/// What is known of messages that may be with the server or may not, and what waits behind them.
///
/// Of each person one list: nothing goes to them until it is known what they have, so that the order is kept. Others are not
/// held up.
struct Settling {
    /// What of one person waits.
    struct Conversation {
        /// What was queued before the session, some of which may have been sent already; oldest first.
        var uncertain: [Waiting]
        /// Came since, in order.
        var later: [Waiting] = []
        /// Whether more came than is kept here; those wait in the journal alone.
        var isSpilled = false
        /// The ids that the archive has of ours.
        var found: Set<String> = []
    }

    struct Waiting {
        var row: RowID
        var message: OutgoingMessage
    }

    /// How many messages wait in memory behind those of one person; later ones wait in the journal.
    private static let laterLimit = 256

    private(set) var conversations: [String: Conversation] = [:]
    /// Whose archive is not asked about yet, in the order of their messages.
    private(set) var order: [String] = []

    var isOver: Bool { conversations.isEmpty }

    init() {}

    init(_ uncertain: [(row: RowID, message: OutgoingMessage)]) {
        for (row, message) in uncertain {
            let peer = message.to.bareText
            if conversations[peer] == nil { order.append(peer) }
            conversations[peer, default: Conversation(uncertain: [])].uncertain
                .append(Waiting(row: row, message: message))
        }
    }

    func isHeld(_ peer: @autoclosure () -> String) -> Bool {
        !conversations.isEmpty && conversations[peer()] != nil
    }

    /// What waits in the journal is to be read once more at the end of each.
    mutating func readLater() {
        for peer in conversations.keys { conversations[peer]?.isSpilled = true }
    }

    /// Keeps a message behind those of its person.
    mutating func wait(_ message: OutgoingMessage, row: RowID) {
        let peer = message.to.bareText
        guard var conversation = conversations.removeValue(forKey: peer) else { return }
        defer { conversations[peer] = conversation }
        guard !conversation.isSpilled, conversation.later.count < Self.laterLimit else {
            conversation.isSpilled = true
            return
        }
        conversation.later.append(Waiting(row: row, message: message))
    }

    /// The next person to be asked about, with their messages whose fate is unknown.
    mutating func next() -> (peer: JID, uncertain: [Waiting])? {
        guard !order.isEmpty else { return nil }
        let peer = order.removeFirst()
        guard let uncertain = conversations[peer]?.uncertain, let first = uncertain.first else { return next() }
        return (first.message.to.bare, uncertain)
    }

    mutating func found(_ id: String, with peer: String) { conversations[peer]?.found.insert(id) }

    /// Takes out all that waits, in the order in which it was put down.
    mutating func endAll() -> (uncertain: [Waiting], later: [Waiting], isSpilled: Bool) {
        let all = conversations.values
        self = Settling()
        return (
            all.flatMap(\.uncertain).sorted { $0.row < $1.row }, all.flatMap(\.later).sorted { $0.row < $1.row },
            all.contains(where: \.isSpilled)
        )
    }

    /// Takes out what waits for one person.
    mutating func end(_ peer: String) -> Conversation? { conversations.removeValue(forKey: peer) }
}
