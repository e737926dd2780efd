import BellhopXML
import BellhopXMPP
import Testing

@Suite("Presence")
struct PresenceTests {
    @Test("a presence is read with all that it shows")
    func reads() throws {
        let presence = try #require(
            Presence(
                try stanza(
                    """
                    <presence from='alice@example.test/phone' to='opsbot@bots.example.test' id='p1'><show>away</show>\
                    <status>at lunch</status><status xml:lang='de'>Pause</status><priority> -5 </priority>\
                    <c xmlns='http://jabber.org/protocol/caps'/></presence>
                    """)))
        #expect(presence.type == .available)
        #expect(presence.from == (try JID("alice@example.test/phone")))
        #expect(presence.to == (try JID("opsbot@bots.example.test")))
        #expect(presence.availability == Availability(show: .away, status: "at lunch", priority: -5))
        #expect(presence.payloads.map(\.name) == ["c"])
    }

    @Test("each type is read and written", arguments: Presence.Kind.allCases)
    func types(kind: Presence.Kind) throws {
        let presence = Presence(kind, to: try JID("alice@example.test"), id: "p1")
        #expect(Presence(presence.element) == presence)
        #expect(presence.element["type"] == (kind == .available ? nil : kind.rawValue))
        #expect(presence.element["from"] == nil)
    }

    @Test("an unknown type, another stanza and an address that cannot be read are passed over")
    func passedOver() throws {
        for xml in [
            "<presence type='shout'/>", "<presence type='available'/>", "<presence type=''/>", "<message/>",
            "<presence xmlns='urn:x'/>", "<presence from='@@'/>", "<presence from=''/>", "<presence to='a@'/>",
        ] {
            #expect(Presence(try stanza(xml)) == nil, "\(xml)")
        }
    }

    static let priorities: [(text: String, value: Int)] = [
        ("0", 0), ("5", 5), ("-128", -128), ("127", 127), ("128", 127), ("-129", -128), ("+7", 7), ("", 0), ("high", 0),
        ("99999999999999999999999", 127), ("-99999999999999999999999", -128), ("1.5", 0), ("-", 0), ("１", 0),
    ]

    @Test("a priority is brought between -128 and 127", arguments: priorities)
    func priority(text: String, value: Int) throws {
        let presence = Presence(try stanza("<presence><priority>\(text)</priority></presence>"))
        #expect(presence?.availability.priority == value)
    }

    @Test("an availability cannot leave the range either")
    func availability() {
        var availability = Availability(priority: 1000)
        #expect(availability.priority == 127)
        availability.priority = -1000
        #expect(availability.priority == -128)
    }

    @Test("an unknown show is being there")
    func unknownShow() throws {
        #expect(Presence(try stanza("<presence><show>dancing</show></presence>"))?.availability.show == .available)
    }

    @Test("what is the default is not written")
    func writes() throws {
        #expect(Presence(.available).element.serialized(in: "jabber:client") == "<presence/>")
        let busy = Presence(.available, availability: Availability(show: .dnd, status: "deploying", priority: 5))
        #expect(
            busy.element.serialized(in: "jabber:client")
                == "<presence><show>dnd</show><status>deploying</status><priority>5</priority></presence>")
        let gone = Presence(.unavailable, availability: Availability(show: .dnd, status: "bye", priority: 5))
        #expect(
            gone.element.serialized(in: "jabber:client")
                == "<presence type='unavailable'><status>bye</status></presence>")
    }
}
