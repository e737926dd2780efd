import BellhopXML
import BellhopXMPP
import Testing

@Suite("What a server says of itself")
struct ServiceTests {
    private static let info = "http://jabber.org/protocol/disco#info"

    private static func form(_ type: String, _ size: String) -> String {
        "<x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE' type='hidden'><value>\(type)</value></field>"
            + "<field var='max-file-size'><value>\(size)</value></field></x>"
    }

    @Test(
        "the largest file is what the form of the upload service says, and nothing else",
        arguments: [
            (form("urn:xmpp:http:upload:0", "5242880"), 5_242_880), (form("urn:xmpp:http:upload", "5242880"), nil),
            (form("urn:xmpp:http:upload:0", "-1"), nil),
            (form("urn:xmpp:http:upload:0", "9999999999999999999999"), nil),
            (form("urn:xmpp:http:upload:0", "much"), nil), ("<x xmlns='jabber:x:data'/>", nil), ("", nil),
            (form("other", "1") + form("urn:xmpp:http:upload:0", "7"), 7),
        ] as [(String, Int?)])
    func largestFile(form: String, size: Int?) throws {
        let payload = try stanza("<query xmlns='\(Self.info)'><feature var='urn:xmpp:http:upload:0'/>\(form)</query>")
        let info = try #require(ServiceInfo(payload))
        #expect(info.features == ["urn:xmpp:http:upload:0"])
        #expect(info.largestFile == size)
    }

    @Test("the items of a server are those with an address and without a node")
    func items() throws {
        let payload = try stanza(
            "<query xmlns='http://jabber.org/protocol/disco#items'><item jid='rooms.example.org'/><item jid='@'/>"
                + "<item/><item jid='example.org' node='announce'/><other jid='x.example.org'/></query>")
        #expect(ServiceItems(payload)?.addresses == [try JID("rooms.example.org")])
        #expect(ServiceItems(try stanza("<query xmlns='\(Self.info)'/>")) == nil)
    }

    @Test(
        "what is archived by default is one of three words",
        arguments: [("always", .always), ("never", .never), ("roster", .roster), ("", nil), ("Always", nil)]
            as [(String, ArchivePreferences?)])
    func preferences(text: String, preferences: ArchivePreferences?) throws {
        #expect(ArchivePreferences(try stanza("<prefs xmlns='urn:xmpp:mam:2' default='\(text)'/>")) == preferences)
        #expect(ArchivePreferences(try stanza("<prefs xmlns='urn:xmpp:mam:1' default='\(text)'/>")) == nil)
    }
}
