package import BellhopXML

extension OutgoingMessage {
    /// Writes the stanza, straight and without building elements for it. It carries no `from`, which the server knows
    /// better, and no `type` where that is `normal` anyway (RFC 6121 section 5.2.2).
    package func write(to writer: inout XMLWriter) {
        writer.open("message", Namespace.client)
        writer.attribute("to", to.description)
        if type != .normal { writer.attribute("type", type.rawValue) }
        writer.attribute("id", id)
        if let body { writer.element("body", Namespace.client, text: body) }
        if let thread { writer.element("thread", Namespace.client, text: thread) }
        for payload in payloads { writer.write(payload) }
        writer.close()
    }
}
