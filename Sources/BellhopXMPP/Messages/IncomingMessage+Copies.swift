internal import BellhopXML

/// Messages inside of messages: carbon copies (XEP-0280) and results of an archive (XEP-0313).
extension IncomingMessage {
    /// Puts the message that a carbon copy holds in the copy's place; the obstacle stays.
    ///
    /// Who wrote it is not compared with the outer sender, which is our own account already. A copy of anything but a
    /// plain message (of a copy, of an archive result, of a bounce, of what is said in a room) is left without a body.
    mutating func openCopy(_ reading: MessageReading, _ address: (String) -> JID?) {
        var copied = IncomingMessage(stanza: stanza, type: type)
        copied.sender = sender
        if let (inner, isSent) = copiedStanza, !Self.holdsAnother(inner) {
            let message = IncomingMessage(stanza: inner, reading: reading, address: address)
            switch message.obstacle {
            case .error, .groupchat, .carbon, .forgedCarbon, .archive: break
            case nil, .headline, .own, .noSender, .domainSender, .stale, .noBody, .emptyBody, .encrypted, .correction,
                .reaction, .retraction:
                copied = message
                // A server may leave out the sender of what we ourselves have sent.
                if isSent, inner["from"] == nil { copied.sender = reading.account }
            }
        }
        copied.obstacle = .carbon
        self = copied
    }

    /// What the first copy in the stanza is a copy of, and whether our account sent it.
    private var copiedStanza: (message: Element, isSent: Bool)? {
        for case .element(let child) in stanza.nodes where child.namespace == Namespace.carbons {
            guard child.name == "sent" || child.name == "received" else { continue }
            guard let inner = child.child("forwarded", Namespace.forward)?.child("message", Namespace.client) else {
                return nil
            }
            return (inner, child.name == "sent")
        }
        return nil
    }

    private static func holdsAnother(_ message: Element) -> Bool {
        message.children.contains { child in
            (child.namespace == Namespace.carbons && (child.name == "sent" || child.name == "received"))
                || child.is("result", Namespace.messageArchive)
        }
    }

    /// Reads what an archive of our own has kept; nil where it is nothing that could be logged or run.
    ///
    /// The archive's id is the message's, and the time at which it was filed counts as a delay that is believed. A message
    /// whose time cannot be read is of unknown age, so it is stale, and so is an old one without a body.
    package init?(
        archived: ArchivedMessage, reading: MessageReading,
        address: (String) -> JID? = { try? JID(received: $0) }
    ) {
        guard !Self.holdsAnother(archived.message) else { return nil }
        self.init(stanza: archived.message, reading: reading, address: address)
        switch obstacle {
        case .error, .carbon, .forgedCarbon, .archive: return nil
        case nil, .noBody:
            guard let filed = archived.filedAt else {
                obstacle = .stale
                break
            }
            if reading.now - min(delay ?? filed, filed) > reading.maxAge { obstacle = .stale }
        case .headline, .groupchat, .own, .noSender, .domainSender, .stale, .emptyBody, .encrypted, .correction,
            .reaction, .retraction:
            break
        }
        if sender == nil {
            // Nobody but we ourselves files a message without a sender.
            guard archived.message["from"] == nil else { return nil }
            sender = reading.account
            obstacle = .own
        }
        archiveID = archived.id
        if let filed = archived.filedAt { delay = min(delay ?? filed, filed) }
    }
}
