/// The two pieces of a stream that are no whole elements: its start and its end (RFC 6120 section 4.2).
extension XMLWriter {
    /// Writes the XML declaration and the start tag of a stream; absent values are left out.
    package mutating func streamStart(_ attributes: KeyValuePairs<String, String?>) {
        raw("<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'")
        for (name, value) in attributes {
            guard let value else { continue }
            raw(" ")
            raw(string: name)
            raw("='")
            escaped(value, in: .attribute)
            raw("'")
        }
        raw(">")
    }

    /// Writes the end tag of a stream.
    package mutating func streamEnd() { raw("</stream:stream>") }
}
