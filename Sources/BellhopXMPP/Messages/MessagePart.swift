internal import BellhopXML

/// What a child element of a message is to us, by its namespace.
enum MessagePart {
    /// Body, subject, thread.
    case content
    /// Serves delivery or says who is typing, and means nothing afterwards.
    case delivery
    case ids, delay, carbon, archive, encryption, fallback, correction, reaction, retraction
    /// Everything else: kept, and there for handlers.
    case payload

    init(_ child: Element) {
        let namespace = child.namespace
        let length = namespace.utf8.count
        self = .payload
        guard length < MessagePart.byLength.count else { return }
        for entry in MessagePart.byLength[length] where entry.namespace == namespace {
            self = entry.part
            return
        }
    }

    private static let known: [(namespace: String, part: MessagePart)] = [
        (Namespace.client, .content),
        (Namespace.chatStates, .delivery),
        (Namespace.receipts, .delivery),
        (Namespace.chatMarkers, .delivery),
        (Namespace.hints, .delivery),
        (Namespace.stanzaIDs, .ids),
        (Namespace.delay, .delay),
        (Namespace.carbons, .carbon),
        (Namespace.messageArchive, .archive),
        (Namespace.explicitEncryption, .encryption),
        (Namespace.omemo, .encryption),
        (Namespace.legacyOMEMO, .encryption),
        (Namespace.openPGP, .encryption),
        (Namespace.legacyOpenPGP, .encryption),
        (Namespace.fallback, .fallback),
        (Namespace.correction, .correction),
        (Namespace.reactions, .reaction),
        (Namespace.retraction, .retraction),
    ]

    /// `known`, sorted by the length of the namespace: a length is compared in one step, a namespace in dozens, and
    /// this is asked several times for each message.
    private static let byLength: [[(namespace: String, part: MessagePart)]] = {
        let longest = known.map(\.namespace.utf8.count).max() ?? 0
        var byLength: [[(namespace: String, part: MessagePart)]] = Array(repeating: [], count: longest + 1)
        for entry in known { byLength[entry.namespace.utf8.count].append(entry) }
        return byLength
    }()
}
