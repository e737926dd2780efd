import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("Roster")
struct RosterMachineTests {
    private let account: JID
    private let alice: JID
    private let bob: JID

    init() throws {
        account = try JID("bot@example.test/bellhop")
        alice = try JID("alice@example.test")
        bob = try JID("bob@else.test")
    }

    private func query(_ items: String, version: String? = nil) throws -> Element {
        try Element.parse("<query xmlns='jabber:iq:roster'>\(items)</query>").with("ver", version)
    }

    /// A machine whose roster holds alice (both) and bob (none).
    private func loaded() throws -> RosterMachine {
        var machine = RosterMachine()
        let items = "<item jid='alice@example.test' subscription='both'/><item jid='bob@else.test' name='Bob'/>"
        _ = machine.receivedRoster(try query(items, version: "v1"))
        return machine
    }

    private func push(_ items: String, from: String? = nil, version: String? = nil) throws -> IQ {
        IQ(id: "p1", from: try from.map { try JID($0) }, .set(try query(items, version: version)))
    }

    @Test("the answer to the request is the roster, and a second one tells the differences")
    func replaced() throws {
        var machine = RosterMachine()
        #expect(!machine.isLoaded)
        let aliceItem = RosterItem(jid: alice, subscription: .both)
        let first = machine.receivedRoster(
            try query("<item jid='alice@example.test' subscription='both'/><item jid='bob@else.test' name='Bob'/>"))
        #expect(first.roster == [.added(aliceItem), .added(RosterItem(jid: bob, name: "Bob"))])
        #expect(machine.isLoaded)
        let second = machine.receivedRoster(
            try query("<item jid='carol@example.test'/><item jid='alice@example.test' subscription='to'/>"))
        #expect(
            second.roster == [
                .added(RosterItem(jid: try JID("carol@example.test"))),
                .changed(from: aliceItem, to: RosterItem(jid: alice, subscription: .to)),
                .removed(RosterItem(jid: bob, name: "Bob")),
            ])
        #expect(machine.roster.count == 2)
        #expect(second.answer == nil)
    }

    @Test("with versions: the first request names none, and an empty answer leaves what we have")
    func versions() throws {
        var machine = RosterMachine()
        #expect(machine.request(versioning: false)["ver"] == nil)
        #expect(machine.request(versioning: true)["ver"] == "")
        machine = try loaded()
        #expect(machine.request(versioning: true)["ver"] == "v1")
        _ = machine.receivedPush(try push("<item jid='carol@example.test'/>", version: "v2"), account: account)
        #expect(machine.request(versioning: true)["ver"] == "v2")
        _ = machine.receivedPush(try push("<item jid='dave@example.test'/>"), account: account)
        #expect(machine.request(versioning: true)["ver"] == "v2")
        machine.sessionBegan()
        #expect(!machine.isLoaded)
        #expect(machine.receivedRoster(nil) == .nothing)
        #expect(machine.isLoaded)
        #expect(machine.roster.count == 4)
    }

    @Test(
        "a push counts only from nobody and from our own bare address, and is answered in any case",
        arguments: [
            (nil, true), ("bot@example.test", true), ("bot@example.test/bellhop", false), ("example.test", false),
            ("eve@evil.test", false), ("bot@example.test.evil.test", false), ("bot@evil.test", false),
        ] as [(String?, Bool)])
    func senders(from: String?, applied: Bool) throws {
        var machine = try loaded()
        let before = machine
        let iq = try push("<item jid='eve@evil.test' subscription='both'/>", from: from)
        let outcome = machine.receivedPush(iq, account: account)
        if applied {
            #expect(outcome.roster.count == 1)
            #expect(outcome.answer == IQ(id: "p1", to: iq.from, .result(nil)).element)
        } else {
            #expect(machine == before)
            #expect(outcome.roster.isEmpty)
            #expect(outcome.answer == IQ(id: "p1", to: iq.from, .error(StanzaError(.serviceUnavailable))).element)
        }
    }

    @Test(
        "a push with none or two items, or with no address, changes nothing",
        arguments: [
            "", "<item jid='a@b.test'/><item jid='c@d.test'/>", "<item/>", "<item jid=''/>", "<item jid='@'/>",
            "<item xmlns='urn:x' jid='a@b.test'/>",
        ])
    func malformed(items: String) throws {
        var machine = try loaded()
        let before = machine
        let outcome = machine.receivedPush(try push(items), account: account)
        #expect(machine == before)
        #expect(outcome.answer == IQ(id: "p1", .error(StanzaError(.badRequest))).element)
    }

    @Test("a push changes one contact, a repeated one nothing, and remove takes it out")
    func changes() throws {
        var machine = try loaded()
        let old = RosterItem(jid: bob, name: "Bob")
        let asked = RosterItem(jid: bob, name: "Bob", ask: true)
        let item = "<item jid='bob@else.test' name='Bob' ask='subscribe' subscription='none'/>"
        #expect(machine.receivedPush(try push(item), account: account).roster == [.changed(from: old, to: asked)])
        #expect(machine.receivedPush(try push(item), account: account).roster == [])
        #expect(machine.roster[bob] == asked)
        let gone = "<item jid='bob@else.test' subscription='remove'/>"
        #expect(machine.receivedPush(try push(gone), account: account).roster == [.removed(asked)])
        #expect(machine.receivedPush(try push(gone), account: account).roster == [])
        #expect(machine.roster[bob] == nil)
    }

    @Test("other requests are no push")
    func noPush() throws {
        var machine = try loaded()
        let before = machine
        for iq in [
            IQ(id: "p1", .get(try query(""))), IQ(id: "p1", .result(try query("<item jid='a@b.test'/>"))),
            IQ(id: "p1", .set(Element("query", namespace: "urn:x"))), IQ(id: "p1", .error(StanzaError(.gone))),
        ] {
            #expect(!RosterMachine.isPush(iq))
            #expect(machine.receivedPush(iq, account: account) == .nothing)
        }
        #expect(machine == before)
    }

    @Test("ten thousand contacts come in and come again, and each is there once")
    func large() throws {
        var items = ""
        for number in 0..<10_000 { items += "<item jid='user\(number)@example.test' subscription='both'/>" }
        let result = try query(items)
        var machine = RosterMachine()
        #expect(machine.receivedRoster(result).roster.count == 10_000)
        #expect(machine.receivedRoster(result).roster.isEmpty)
        #expect(machine.roster.count == 10_000)
        #expect(machine.receivedRoster(try query("")).roster.count == 10_000)
    }
}
