internal import BellhopXML
package import BellhopXMPP

/// Sizes of stanzas on the stream, in bytes.
package enum StanzaSize {
    /// What every server has to take (RFC 6120 section 13.12).
    package static let guaranteed = 10_000
    /// Room for the id of a message that has none yet, and for what the connection may add to it.
    static let reserve = 160

    /// How large the message is.
    package static func of(_ message: OutgoingMessage) -> Int {
        var writer = XMLWriter(stream: Namespace.client)
        message.write(to: &writer)
        return message.id.isEmpty ? writer.count + reserve : writer.count
    }
}
