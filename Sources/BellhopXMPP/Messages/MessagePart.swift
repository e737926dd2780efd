internal import BellhopXML

/// What a child element of a message is to us, by its namespace.
enum MessagePart {
    /// Body, subject, thread.
    case content
    /// Serves delivery or says who is typing, and means nothing afterwards.
    case delivery
    /// What others may do with the message (XEP-0334).
    case hint
    case ids, delay, carbon, archive, encryption, fallback, correction, reaction, retraction
    /// Everything else: kept, and there for handlers.
    case payload

    init(_ child: Element) {
        self = child.namespace == Namespace.client ? .content : MessagePart.part(in: child.namespace)
    }

    private static func part(in namespace: String) -> MessagePart {
        // Lengths first: they are compared in one step, namespaces in dozens, and this is asked for each child.
        let length = namespace.utf8.count
        for index in known.indices
        where known[index].namespace.utf8.count == length && known[index].namespace == namespace {
            return known[index].part
        }
        return .payload
    }

    private static let known: [(namespace: String, part: MessagePart)] = [
        (Namespace.chatStates, .delivery),
        (Namespace.receipts, .delivery),
        (Namespace.chatMarkers, .delivery),
        (Namespace.hints, .hint),
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
}
