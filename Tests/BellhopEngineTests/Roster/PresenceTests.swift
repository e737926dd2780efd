import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("Who is there")
struct PresenceTests {
    private let account: JID
    private let alice: JID
    private var machine = RosterMachine()

    init() throws {
        account = try JID("bot@example.test/bellhop")
        alice = try JID("alice@example.test")
        let items = """
            <item jid='alice@example.test' subscription='both'/><item jid='bob@else.test' subscription='to'/>\
            <item jid='bot@example.test' subscription='both'/>
            """
        _ = machine.receivedRoster(try Element.parse("<query xmlns='jabber:iq:roster'>\(items)</query>"))
    }

    private mutating func presence(
        _ from: String, _ type: Presence.Kind = .available, _ show: Show = .available, status: String? = nil,
        priority: Int = 0
    ) throws -> [PresenceEvent] {
        let shown = Availability(show: show, status: status, priority: priority)
        let outcome = machine.received(Presence(type, from: try JID(from), availability: shown), account: account)
        #expect(outcome.answer == nil && outcome.roster.isEmpty)
        return outcome.presence
    }

    @Test("the first client brings the contact online, the last takes it offline, those between change nothing")
    mutating func clients() throws {
        let here = Availability()
        #expect(try presence("alice@example.test/phone") == [.contactOnline(alice, here)])
        #expect(try presence("alice@example.test/laptop") == [])
        #expect(try presence("alice@example.test/phone", .unavailable) == [])
        #expect(try presence("alice@example.test/phone", .unavailable) == [])
        #expect(machine.presence[alice] == here)
        #expect(try presence("alice@example.test/laptop", .unavailable) == [.contactOffline(alice)])
        #expect(machine.presence[alice] == nil)
        #expect(machine.presence.count == 0)
    }

    @Test("what is shown is that of the highest priority, and only a difference is told")
    mutating func best() throws {
        _ = try presence("alice@example.test/phone", priority: 5)
        #expect(try presence("alice@example.test/laptop", .available, .away, priority: 1) == [])
        let busy = Availability(show: .dnd, status: "deploying", priority: 5)
        #expect(
            try presence("alice@example.test/phone", .available, .dnd, status: "deploying", priority: 5)
                == [.contactChanged(alice, busy)])
        #expect(
            try presence("alice@example.test/phone", .available, .dnd, status: "deploying", priority: 6) == [])
        #expect(
            try presence("alice@example.test/phone", .unavailable)
                == [.contactChanged(alice, Availability(show: .away, priority: 1))])
        // Of equals the one that spoke last is shown.
        #expect(
            try presence("alice@example.test/tablet", .available, .xa, priority: 1)
                == [.contactChanged(alice, Availability(show: .xa, priority: 1))])
        let clients = machine.presence.clients(of: alice)
        #expect(clients.map { $0.jid.resource } == ["tablet", "laptop"])
    }

    @Test("a bare unavailable and an error take all clients away")
    mutating func bare() throws {
        for type in [Presence.Kind.unavailable, .error] {
            _ = try presence("alice@example.test/phone")
            _ = try presence("alice@example.test/laptop")
            #expect(try presence("alice@example.test", type) == [.contactOffline(alice)])
            #expect(try presence("alice@example.test", type) == [])
        }
    }

    @Test("strangers, our own other clients and questions of subscription are not kept")
    mutating func strangers() throws {
        for number in 0..<1000 { #expect(try presence("user\(number)@spam.example/x") == []) }
        #expect(try presence("bot@example.test/other") == [])
        #expect(try presence("bot@example.test") == [])
        for type in [Presence.Kind.subscribe, .subscribed, .unsubscribe, .unsubscribed, .probe] {
            #expect(try presence("alice@example.test", type) == [])
        }
        #expect(machine.received(Presence(.available), account: account) == .nothing)
        #expect(machine.presence.count == 0)
    }

    @Test("a contact with clients without end is kept at 32, and its status at a thousand characters")
    mutating func flood() throws {
        let long = String(repeating: "x", count: 5000)
        for number in 0..<1000 { _ = try presence("alice@example.test/\(number)", status: long) }
        let clients = machine.presence.clients(of: alice)
        #expect(clients.count == 32)
        #expect(clients.allSatisfy { $0.availability.status?.count == 1000 })
        // Those that are kept can still change and go.
        #expect(try presence("alice@example.test/7", .available, .away, priority: 9).count == 1)
        #expect(try presence("alice@example.test/7", .unavailable).count == 1)
        #expect(machine.presence.clients(of: alice).count == 31)
    }

    @Test("a new session begins with nobody there")
    mutating func reset() throws {
        _ = try presence("alice@example.test/phone")
        _ = try presence("bob@else.test/phone")
        machine.sessionBegan()
        #expect(machine.presence.count == 0)
        #expect(try presence("bob@else.test/phone").count == 1)
        #expect(machine.presence.count == 1)
    }

    @Test("a contact that leaves the roster is no longer there")
    mutating func removed() throws {
        _ = try presence("alice@example.test/phone")
        let query = try Element.parse(
            "<query xmlns='jabber:iq:roster'><item jid='alice@example.test' subscription='remove'/></query>")
        let outcome = machine.receivedPush(IQ(id: "p", .set(query)), account: account)
        #expect(outcome.presence == [.contactOffline(alice)])
        #expect(outcome.roster.count == 1)
        #expect(try presence("alice@example.test/phone") == [])
    }
}
