internal import BellhopXML
internal import BellhopXMPP

/// The two pieces of XML that are no whole elements: a stream's start and its end (RFC 6120 section 4.2).
extension XMLWriter {
    mutating func streamHeader(to domain: String, from: JID?) {
        raw("<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' to='")
        text(domain, inAttribute: true)
        if let from {
            raw("' from='")
            text(from.bareText, inAttribute: true)
        }
        raw("' version='1.0' xml:lang='en'>")
    }

    mutating func streamEnd() { raw("</stream:stream>") }
}
