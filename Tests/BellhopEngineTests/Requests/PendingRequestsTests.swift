import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("Requests that wait")
struct PendingRequestsTests {
    private let account: JID

    init() throws { account = try JID("bot@example.test/bellhop") }

    private func sent(_ id: String = "r1", to peer: String?) throws -> PendingRequests {
        var requests = PendingRequests()
        _ = try requests.sent(id, to: peer.map { try JID($0) }, now: .zero, timeout: .seconds(30))
        return requests
    }

    @Test(
        "an answer counts only from whom it was asked",
        arguments: [
            (nil, nil, true),
            (nil, "bot@example.test", true),
            (nil, "bot@example.test/bellhop", true),
            (nil, "example.test", true),
            (nil, "bot@example.test/other", false),
            (nil, "example.test/x", false),
            (nil, "eve@evil.test", false),
            ("bot@example.test", nil, true),
            ("bot@example.test", "bot@example.test", true),
            ("bot@example.test", "example.test", true),
            ("bot@example.test", "eve@evil.test", false),
            ("example.test", "example.test", true),
            ("example.test", nil, true),
            ("example.test", "evil.test", false),
            ("alice@else.test/phone", "alice@else.test/phone", true),
            ("alice@else.test/phone", "alice@else.test/tablet", false),
            ("alice@else.test/phone", "alice@else.test", false),
            ("alice@else.test/phone", "example.test", false),
            ("alice@else.test/phone", nil, false),
            ("alice@else.test", "ALICE@Else.Test", true),
        ] as [(String?, String?, Bool)])
    func senders(peer: String?, from: String?, counts: Bool) throws {
        var requests = try sent(to: peer)
        let reply = IQ(id: "r1", from: try from.map { try JID($0) }, .result(nil))
        let answer = requests.received(reply, account: account)
        #expect((answer != nil) == counts)
        #expect(requests.count == (counts ? 0 : 1))
        if let answer {
            #expect(try answer.0 == RequestKey(id: "r1", peer: peer.map { try JID($0) }))
            #expect(answer.1 == .result(nil))
        }
    }

    @Test("a request with the id of ours, or an answer to another id, leaves ours waiting")
    func kinds() throws {
        var requests = try sent(to: nil)
        let ping = Element("ping", namespace: "urn:xmpp:ping")
        #expect(requests.received(IQ(id: "r1", .get(ping)), account: account) == nil)
        #expect(requests.received(IQ(id: "r1", .set(ping)), account: account) == nil)
        #expect(requests.received(IQ(id: "r2", .result(nil)), account: account) == nil)
        #expect(requests.count == 1)
        let refused = requests.received(IQ(id: "r1", .error(StanzaError(.forbidden))), account: account)
        #expect(refused?.1 == .error(StanzaError(.forbidden)))
        #expect(requests.received(IQ(id: "r1", .result(nil)), account: account) == nil)
    }

    @Test("what is not answered in time is handed back, the earliest first")
    func time() throws {
        var requests = PendingRequests()
        #expect(requests.nextDeadline == nil)
        let late = try requests.sent("late", to: nil, now: .seconds(1), timeout: .seconds(30))
        let soon = try requests.sent("soon", to: account, now: .seconds(1), timeout: .seconds(5))
        #expect(requests.nextDeadline == .seconds(6))
        #expect(requests.timePassed(.milliseconds(5999)) == [])
        #expect(requests.timePassed(.seconds(6)) == [soon])
        #expect(requests.nextDeadline == .seconds(31))
        #expect(requests.timePassed(.seconds(100)) == [late])
        #expect(requests.nextDeadline == nil)
    }

    @Test("there is a bound, an id waits once, and a lost connection hands everything back")
    func bounds() throws {
        var requests = PendingRequests(limit: 2)
        let first = try requests.sent("a", to: nil, now: .zero, timeout: .seconds(1))
        #expect(throws: PendingRequests.Fault.duplicate) {
            try requests.sent("a", to: account, now: .zero, timeout: .seconds(1))
        }
        let second = try requests.sent("b", to: nil, now: .zero, timeout: .seconds(2))
        #expect(throws: PendingRequests.Fault.full(limit: 2)) {
            try requests.sent("c", to: nil, now: .zero, timeout: .seconds(1))
        }
        #expect(requests.connectionLost() == [first, second])
        #expect(requests.count == 0)
    }
}
