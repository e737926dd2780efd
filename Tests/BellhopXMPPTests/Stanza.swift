import BellhopXML

/// Reads a stanza as it would stand in a client's stream.
func stanza(_ xml: String) throws -> Element {
    let stream = try Element.parse("<stream xmlns='jabber:client'>\(xml)</stream>")
    guard let first = stream.children.first else { throw NoStanza() }
    return first
}

struct NoStanza: Error {}
