import BellhopDiagnostics
import Testing

@Suite("Redaction")
struct RedactionTests {
    @Test(
        "secrets are cut and the rest stays as it is",
        arguments: [
            (
                "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>AGJvdABodW50ZXIy</auth>",
                "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>•••</auth>"
            ),
            ("<response>c2VjcmV0</response><r/>", "<response>•••</response><r/>"),
            ("<challenge>c2VjcmV0</challenge>", "<challenge>•••</challenge>"),
            ("<success>c2VjcmV0</success>", "<success>•••</success>"),
            ("<success/>", "<success/>"),
            ("<success xmlns='u'/><a>b</a>", "<success xmlns='u'/><a>b</a>"),
            ("<sasl:auth>c2VjcmV0</sasl:auth>", "<sasl:auth>•••</sasl:auth>"),
            (
                "<iq type='set'><query xmlns='jabber:iq:register'><username>bot</username>"
                    + "<password>hunter2</password></query></iq>",
                "<iq type='set'><query xmlns='jabber:iq:register'><username>bot</username>"
                    + "<password>•••</password></query></iq>"
            ),
            (
                "<presence to='r@m/n'><x xmlns='m'><password>hunter2</password></x></presence>",
                "<presence to='r@m/n'><x xmlns='m'><password>•••</password></x></presence>"
            ),
            ("<PassWord>hunter2</PassWord>", "<PassWord>•••</PassWord>"),
            ("<password><b>hunter2</b></password>x", "<password>•••</password>x"),
            ("<password>a<password>b</password>hunter2</password>x", "<password>•••</password>x"),
            ("<password><![CDATA[</password>hunter2]]></password>x", "<password>•••</password>x"),
            (
                "<password a='>' b=\"</password>\">hunter2</password>x",
                "<password a='>' b=\"</password>\">•••</password>x"
            ),
            ("<password>hunter2", "<password>•••"), ("<password>hunter2</pass", "<password>•••"),
            ("<a b='hunter2", "•••"),
            (
                "<token xmlns='urn:xmpp:fast:0' expiry='x' token='hunter2'/>",
                "<token xmlns='urn:xmpp:fast:0' expiry='x' token='•••'/>"
            ),
            ("<a password = \"hunter2\">b</a>", "<a password = \"•••\">b</a>"),
            (
                "<field var='muc#roomconfig_roomsecret'><value>hunter2</value></field>",
                "<field var='muc#roomconfig_roomsecret'>•••</field>"
            ),
            (
                "<field type='text-private' var='x'><value>hunter2</value></field>",
                "<field type='text-private' var='x'>•••</field>"
            ),
            ("<field var='nick'><value>ann</value></field>", "<field var='nick'><value>ann</value></field>"),
            (
                "<message><body>my <b> password is fine</body></message>",
                "<message><body>my <b> password is fine</body></message>"
            ),
            ("<initial-response>x</initial-response>", "<initial-response>•••</initial-response>"),
            ("", ""), ("plain", "plain"), ("<", "•••"), ("<!-- x", "•••"), ("</password>x", "</password>x"),
            ("<?xml version='1.0'?><stream:stream to='a'>", "<?xml version='1.0'?><stream:stream to='a'>"),
        ])
    func cut(xml: String, shown: String) {
        #expect(Redaction.stanza(xml) == shown)
    }

    @Test("cut anywhere, a login shows no secret")
    func everyPrefix() {
        let xml = "<iq id='1'><query a='b'><password>hunter2</password><x password='hunter2'/></query></iq>"
        for length in 0...xml.utf8.count {
            let prefix = String(decoding: xml.utf8.prefix(length), as: UTF8.self)
            #expect(!Redaction.stanza(prefix).contains("hunter"))
        }
    }
}
