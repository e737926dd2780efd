import Testing

/// What a server might send, whole streams, in the manner of several servers.
struct Transcript: Sendable, CustomTestStringConvertible {
    var name: String
    /// How many first-level elements it has.
    var elements: Int
    var xml: String

    var testDescription: String { name }

    static let all = [
        Transcript(
            name: "before TLS, single quotes", elements: 2,
            xml: "<?xml version='1.0'?><stream:stream id='77' version='1.0' xml:lang='en' "
                + "xmlns:stream='http://etherx.jabber.org/streams' from='example.test' xmlns='jabber:client'>"
                + "<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls></stream:features>"
                + "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"),
        Transcript(
            name: "login, double quotes", elements: 4,
            xml:
                #"<?xml version="1.0" encoding="UTF-8"?><stream:stream xmlns:stream="http://etherx.jabber.org/streams" "#
                + #"xmlns="jabber:client" from="example.test" id="a9" xml:lang="en" version="1.0"><stream:features>"#
                + #"<mechanisms xmlns="urn:ietf:params:xml:ns:xmpp-sasl"><mechanism>PLAIN</mechanism>"#
                + #"<mechanism>SCRAM-SHA-1</mechanism></mechanisms><compression xmlns="http://jabber.org/features/compress">"#
                + #"<method>zlib</method></compression></stream:features>"#
                + #"<challenge xmlns="urn:ietf:params:xml:ns:xmpp-sasl">cj1uMSxzPWMyRnNkQT09LGk9NDA5Ng==</challenge>"#
                + #"<success xmlns="urn:ietf:params:xml:ns:xmpp-sasl">dj1zaWc=</success>"#
                + #"<stream:error><conflict xmlns="urn:ietf:params:xml:ns:xmpp-streams"/></stream:error></stream:stream>"#
        ),
        Transcript(
            name: "bind and roster, prefixed and pretty", elements: 3,
            xml: "<s:stream xmlns:s='http://etherx.jabber.org/streams' xmlns='jabber:client'>\n"
                + "  <iq type='result' id='b1'>\n    <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>\r\n"
                + "      <jid>opsbot@bots.example.test/main</jid></bind>\n  </iq>\n \n"
                + "<iq type='result' id='r1'><r:query xmlns:r='jabber:iq:roster' ver=''><r:item jid='bob@example.test' "
                + "name='Bob &quot;B&quot; O&apos;Neil > &lt;' subscription='both'><r:group>Ops &amp; Co</r:group></r:item>"
                + "</r:query></iq> <presence from='bob@example.test/x'><priority>-1</priority></presence>\n</s:stream>"),
        Transcript(
            name: "messages of all kinds", elements: 4,
            xml: "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>"
                + "<message type='chat' from='alice@example.test/ph\u{F6}ne' id='m1'><body>it&#39;s &lt;b&gt; "
                + "<![CDATA[<raw & ]] text>]]> &#x1F600; 密👍é</body><active xmlns='http://jabber.org/protocol/chatstates'/>"
                + "</message><message xmlns:b='jabber:client' id='m2'><b:body xml:lang='de'>hallo</b:body></message>"
                + "<message id='m3'><sent xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
                + "<message xmlns='jabber:client' to='bob@example.test'><body>inner</body>"
                + "<p:x xmlns:p='urn:one' p:a='1'><p:x xmlns:p='urn:two' p:a='2'/></p:x></message></forwarded></sent></message>"
                + "<message id='m4'><body>\(String(repeating: "long 密 text ] ", count: 30))</body></message>"),
    ]
}
