package import BellhopXML

extension IncomingMessage {
    /// Reads a message stanza: what the person meant, and why no command may run from it.
    ///
    /// Of several obstacles the first in this order is named: what the stanza is (bounce, copy, archive result), whose
    /// it is, of which type, what its body stands for, and at last its age.
    package init(stanza: Element, reading: MessageReading) {
        self.init(stanza: stanza, type: .normal)
        for attribute in stanza.attributes where attribute.namespace.isEmpty {
            switch attribute.name {
            case "from": sender = try? JID(received: attribute.value)
            case "id": id = attribute.value.isEmpty ? nil : attribute.value
            case "type": type = MessageType(rawValue: attribute.value) ?? .normal
            default: break
            }
        }
        var findings = MessageFindings()
        for case .element(let child) in stanza.nodes { findings.note(child, reading) }
        originID = findings.originID
        archiveID = findings.archiveID
        correctedID = findings.correctedID
        thread = findings.thread
        body = findings.body
        text = body.map(findings.fallback.cut(from:))
        delay = findings.delay
        payloads = findings.payloads
        obstacle = obstacle(findings, reading)
    }

    private func obstacle(_ findings: MessageFindings, _ reading: MessageReading) -> Obstacle? {
        if type == .error { return .error }
        if findings.isArchiveResult { return .archive }
        if findings.isCarbon { return sender == reading.account ? .carbon : .forgedCarbon }
        guard let sender else { return .noSender }
        if sender.bareText == reading.account.bareText { return .own }
        switch type {
        case .groupchat: return .groupchat
        case .headline: return .headline
        case .chat, .normal, .error: break
        }
        if !sender.hasLocal { return .domainSender }
        if findings.isEncrypted { return .encrypted }
        if findings.isReaction { return .reaction }
        if findings.isRetraction { return .retraction }
        guard let text else { return .noBody }
        if text.unicodeScalars.allSatisfy(\.properties.isWhitespace) { return .emptyBody }
        if findings.isCorrection { return .correction }
        if findings.hasUnreadableDelay { return .stale }
        if let delay, reading.now - delay > reading.maxAge { return .stale }
        return nil
    }
}
