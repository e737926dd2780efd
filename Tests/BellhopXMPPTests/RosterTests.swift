import BellhopXML
import BellhopXMPP
import Testing

@Suite("Roster")
struct RosterTests {
    func query(_ inside: String, attributes: String = "") throws -> Element {
        try stanza("<query xmlns='jabber:iq:roster' \(attributes)>\(inside)</query>")
    }

    @Test("an item is read with all that the server says")
    func item() throws {
        let result = try #require(
            RosterResult(
                try query(
                    """
                    <item jid='Alice@Example.test/x' name='Alice' subscription='both' ask='subscribe' approved='true'>\
                    <group>Friends</group><group>Ops</group><group>Friends</group><group/></item>\
                    <item jid='bob@example.test'/>
                    """, attributes: "ver='v7'")))
        #expect(result.version == "v7")
        #expect(
            result.items == [
                RosterItem(
                    jid: try JID("alice@example.test"), name: "Alice", subscription: .both, ask: true, approved: true,
                    groups: ["Friends", "Ops"]),
                RosterItem(jid: try JID("bob@example.test")),
            ])
        #expect(result.items.map(\.subscription) == [.both, .none])
    }

    static let odd: [(attributes: String, subscription: RosterItem.Subscription)] = [
        ("", .none), ("subscription='none'", .none), ("subscription='to'", .to), ("subscription='from'", .from),
        ("subscription='both'", .both), ("subscription='sideways'", .none), ("subscription=''", .none),
        ("ask='unsubscribe'", .none), ("approved='perhaps'", .none), ("name=''", .none),
    ]

    @Test("an absent or unknown value is the least", arguments: odd)
    func oddValues(attributes: String, subscription: RosterItem.Subscription) throws {
        let change = RosterChange(try query("<item jid='a@b.test' \(attributes)/>").children[0])
        #expect(change == .updated(RosterItem(jid: try JID("a@b.test"), subscription: subscription)))
    }

    @Test("an item that cannot be read is left out, and the others stay")
    func unreadable() throws {
        let result = RosterResult(
            try query("<item/><item jid='@@'/><x xmlns='urn:x' jid='c@d.test'/><item jid='a@b.test'/>"))
        #expect(result?.items.map(\.jid) == [try JID("a@b.test")])
        #expect(result?.version == nil)
        #expect(RosterResult(try stanza("<query xmlns='urn:x'/>")) == nil)
    }

    @Test("a push holds exactly one item")
    func push() throws {
        let push = RosterPush(try query("<item jid='a@b.test' subscription='to'/>", attributes: "ver='v8'"))
        #expect(push?.version == "v8")
        #expect(push?.change == .updated(RosterItem(jid: try JID("a@b.test"), subscription: .to)))
        #expect(
            RosterPush(try query("<item jid='a@b.test' subscription='remove'/>"))?.change
                == .removed(try JID("a@b.test")))
        #expect(RosterPush(try query("")) == nil)
        #expect(RosterPush(try query("<item jid='a@b.test'/><item jid='c@d.test'/>")) == nil)
        #expect(RosterPush(try query("<item jid='@@'/>")) == nil)
        #expect(RosterPush(try query("<item/>")) == nil)
    }

    @Test("a change asks for name and groups, and never for a subscription")
    func requests() throws {
        let contact = RosterItem(
            jid: try JID("alice@example.test"), name: "A & B", subscription: .both, ask: true, groups: ["Ops", "Ops"])
        #expect(
            RosterChange.updated(contact).query.serialized(in: "jabber:client") == """
                <query xmlns='jabber:iq:roster'><item jid='alice@example.test' name='A &amp; B'>\
                <group>Ops</group></item></query>
                """)
        #expect(
            RosterChange.removed(contact.jid).query.serialized(in: "jabber:client") == """
                <query xmlns='jabber:iq:roster'><item jid='alice@example.test' subscription='remove'/></query>
                """)
        #expect(
            RosterResult.request(version: nil).serialized(in: "jabber:client") == "<query xmlns='jabber:iq:roster'/>")
        #expect(
            RosterResult.request(version: "").serialized(in: "jabber:client")
                == "<query xmlns='jabber:iq:roster' ver=''/>")
    }

    @Test("a subscription says who sees whom")
    func directions() {
        #expect(RosterItem.Subscription.allCases.filter(\.seesContact) == [.to, .both])
        #expect(RosterItem.Subscription.allCases.filter(\.isSeen) == [.from, .both])
    }
}
