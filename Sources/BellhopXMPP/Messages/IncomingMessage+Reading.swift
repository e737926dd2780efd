package import BellhopXML

extension IncomingMessage {
    /// Reads a message stanza: what the person meant, and why no command may run from it.
    ///
    /// Of several obstacles the first in this order is named: what the stanza is (bounce, copy, archive result), whose
    /// it is, of which type, what its body stands for, and at last its age.
    ///
    /// A copy from our own account is read as the message that it is a copy of, and keeps its obstacle.
    ///
    /// `address` reads the sender's address; nil where it cannot be read.
    package init(
        stanza: Element, reading: MessageReading, address: (String) -> JID? = { try? JID(received: $0) }
    ) {
        var sender: JID?
        var type = MessageType.normal
        var id: String?
        // Spans, because walking over the arrays themselves would count references up and down for every child.
        let attributes = stanza.attributes.span
        for index in attributes.indices where attributes[index].namespace.isEmpty {
            switch attributes[index].name {
            case "from": sender = address(attributes[index].value)
            case "id": id = attributes[index].value.isEmpty ? nil : attributes[index].value
            case "type":
                type =
                    attributes[index].value == MessageType.chat.rawValue
                    ? .chat : MessageType(rawValue: attributes[index].value) ?? .normal
            default: break
            }
        }
        var findings = MessageFindings()
        let nodes = stanza.nodes.span
        for index in nodes.indices {
            if case .element(let child) = nodes[index] { findings.note(child, reading) }
        }
        let text = if let body = findings.body { findings.fallback.cut(from: body) } else { String?.none }
        self.stanza = stanza
        self.sender = sender
        self.type = type
        self.id = id
        originID = findings.originID
        archiveID = findings.archiveID
        correctedID = findings.correctedID
        thread = findings.thread
        body = findings.body
        self.text = text
        delay = findings.delay
        payloads = findings.payloads
        isTransient = findings.isTransient
        obstacle = findings.obstacle(type: type, sender: sender, text: text, reading)
        if obstacle == .carbon { openCopy(reading, address) }
    }
}
