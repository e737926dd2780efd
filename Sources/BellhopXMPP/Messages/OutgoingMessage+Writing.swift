package import BellhopXML

extension OutgoingMessage {
    /// Writes the stanza, straight and without building elements for it. It carries no `from`, which the server knows
    /// better, and no `type` where that is `normal` anyway (RFC 6121 section 5.2.2).
    package func write(to writer: inout XMLWriter) {
        writer.markup(writer.isInside(Namespace.client) ? "<message" : "<message xmlns='jabber:client'")
        if let resource = to.resource {
            writer.markup(" to='", value: to.bareText, "/")
            writer.markup("", value: resource, "'")
        } else {
            writer.markup(" to='", value: to.bareText, "'")
        }
        switch type {
        case .normal: writer.markup(" id='", value: id, "'")
        case .chat: writer.markup(" type='chat' id='", value: id, "'")
        case .groupchat: writer.markup(" type='groupchat' id='", value: id, "'")
        case .headline: writer.markup(" type='headline' id='", value: id, "'")
        case .error: writer.markup(" type='error' id='", value: id, "'")
        }
        if body == nil, thread == nil, payloads.isEmpty, chatState == nil, delay == nil { return writer.markup("/>") }
        writer.markup(">")
        if let body { writer.markup("<body>", text: body, "</body>") }
        if let thread { writer.markup("<thread>", text: thread, "</thread>") }
        for payload in payloads { writer.write(payload, in: Namespace.client) }
        if let delay { writer.markup("<delay xmlns='urn:xmpp:delay' stamp='", value: delay.description, "'/>") }
        if let chatState { writer.write(chatState.element, in: Namespace.client) }
        writer.markup("</message>")
    }
}
