import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Subscription requests")
struct RequestTests {
    static func rules() throws -> [SubscriptionRule] {
        [
            SubscriptionRule(try JIDPattern("eve@*"), .block),
            SubscriptionRule(try JIDPattern("example.test"), .accept),
            SubscriptionRule(try JIDPattern("*.partner.example"), .acceptMutual, group: "Partners"),
            SubscriptionRule(try JIDPattern("spam.example"), .ignore),
            SubscriptionRule(try JIDPattern("bot?@tools.example"), .reject),
            SubscriptionRule(
                try JIDPattern("limited.example"), .accept, limit: DomainLimit(count: 2, period: .seconds(60))),
            SubscriptionRule(try JIDPattern("ask.example"), .ask),
        ]
    }

    struct Sample: Sendable {
        var person: String
        var stanzas: [String]
        var action: String
        var by: String
    }

    static let samples = [
        Sample(
            person: "admin@example.test", stanzas: ["subscribed admin@example.test", "subscribe admin@example.test"],
            action: "accept-mutual", by: "admins"),
        Sample(
            person: "Admin@Example.TEST/desk",
            stanzas: ["subscribed admin@example.test", "subscribe admin@example.test"], action: "accept-mutual",
            by: "admins"),
        Sample(
            person: "alice@example.test", stanzas: ["subscribed alice@example.test"], action: "accept",
            by: "subscriptions.rules[1]"),
        Sample(
            person: "alice@example.test/phone", stanzas: ["subscribed alice@example.test"], action: "accept",
            by: "subscriptions.rules[1]"),
        Sample(
            person: "ALICE@EXAMPLE.TEST", stanzas: ["subscribed alice@example.test"], action: "accept",
            by: "subscriptions.rules[1]"),
        Sample(
            person: "eve@example.test", stanzas: ["block eve@example.test"], action: "block",
            by: "subscriptions.rules[0]"),
        Sample(
            person: "eve@sub.example.test", stanzas: ["block eve@sub.example.test"], action: "block",
            by: "subscriptions.rules[0]"),
        Sample(person: "bob@sub.example.test", stanzas: [], action: "ask", by: "default"),
        Sample(person: "bob@example.test.evil.example", stanzas: [], action: "ask", by: "default"),
        Sample(person: "bob@notexample.test", stanzas: [], action: "ask", by: "default"),
        Sample(
            person: "ann@a.partner.example",
            stanzas: [
                "subscribed ann@a.partner.example", "subscribe ann@a.partner.example",
                "set ann@a.partner.example - [\"Partners\"]",
            ], action: "accept-mutual", by: "subscriptions.rules[2]"),
        Sample(person: "ann@partner.example", stanzas: [], action: "ask", by: "default"),
        Sample(person: "x@spam.example", stanzas: [], action: "ignore", by: "subscriptions.rules[3]"),
        Sample(
            person: "bot1@tools.example", stanzas: ["unsubscribed bot1@tools.example"], action: "reject",
            by: "subscriptions.rules[4]"),
        Sample(person: "bot12@tools.example", stanzas: [], action: "ask", by: "default"),
        Sample(person: "robot@tools.example", stanzas: [], action: "ask", by: "default"),
        Sample(
            person: "a@limited.example", stanzas: ["subscribed a@limited.example"], action: "accept",
            by: "subscriptions.rules[5]"),
        Sample(person: "b@ask.example", stanzas: [], action: "ask", by: "subscriptions.rules[6]"),
        Sample(
            person: "example.test", stanzas: ["subscribed example.test"], action: "accept", by: "subscriptions.rules[1]"
        ),
        Sample(person: "carol@else.example", stanzas: [], action: "ask", by: "default"),
    ]

    @Test("twenty requests, each with its stanzas and its reason", arguments: samples)
    func decides(sample: Sample) throws {
        let stage = try Stage(rules: try Self.rules())
        try stage.asks(sample.person)
        #expect(stage.did() == sample.stanzas)
        let bare = try JID(sample.person).bareText
        let line =
            "info request: A subscription request was decided. from=\(bare) action=\(sample.action) by=\(sample.by)"
        #expect(stage.sink.lines.contains(line))
        // A repeated request gets no second answer.
        try stage.asks(sample.person)
        #expect(stage.did() == [])
    }

    @Test(
        "accept-mutual subscribes only to whom we neither see nor have asked",
        arguments: RosterItem.Subscription.allCases, [false, true])
    func mutual(subscription: RosterItem.Subscription, ask: Bool) throws {
        let stage = try Stage(rules: [SubscriptionRule(try JIDPattern("*"), .acceptMutual)])
        let alice = try JID("alice@example.test")
        stage.chat.roster[alice] = RosterItem(jid: alice, subscription: subscription, ask: ask)
        try stage.asks("alice@example.test")
        let expected: [String] =
            switch (subscription, ask) {
            case (.from, _), (.both, _): []
            case (.none, false): ["subscribed alice@example.test", "subscribe alice@example.test"]
            case (.none, true), (.to, _): ["subscribed alice@example.test"]
            }
        #expect(stage.did() == expected)
    }

    @Test("two auto-accepting bots come to rest after two stanzas each")
    func twoBots() throws {
        let left = try Stage(rules: [SubscriptionRule(try JIDPattern("*"), .acceptMutual)])
        let right = try Stage(rules: [SubscriptionRule(try JIDPattern("*"), .acceptMutual)])
        left.chat.subscribe(try JID("right@example.test"))
        var sent = (left: 0, right: 0)
        for _ in 0..<10 {
            for stanza in left.did() {
                sent.left += 1
                if stanza.hasPrefix("subscribe ") { try right.asks("left@example.test/x") }
            }
            for stanza in right.did() {
                sent.right += 1
                if stanza.hasPrefix("subscribe ") { try left.asks("right@example.test/x") }
            }
        }
        #expect(sent == (2, 2))
    }

    @Test("above a rule's limit requests wait instead")
    func limit() throws {
        let stage = try Stage(rules: try Self.rules())
        for name in ["a", "b", "c"] { try stage.asks("\(name)@limited.example") }
        #expect(stage.did() == ["subscribed a@limited.example", "subscribed b@limited.example"])
        #expect(stage.desk.pendingRequests.map(\.person.bareText) == ["c@limited.example"])
        #expect(stage.sink.lines.contains { $0.hasSuffix("action=ask by=subscriptions.rules[5].limit") })
        stage.pass(.seconds(60))
        try stage.asks("d@limited.example")
        #expect(stage.did() == ["subscribed d@limited.example"])
    }

    @Test("asked: admins hear of the first singly, then once a minute, and their answers count once")
    func asking() throws {
        let stage = try Stage(admins: ["admin@example.test", "boss@example.test"])
        try stage.asks("carol@else.example")
        let sentence = "request 1: carol@else.example. Answer: accept 1 or deny 1"
        #expect(stage.chat.messages.map(\.to.bareText) == ["admin@example.test", "boss@example.test"])
        #expect(stage.said() == [sentence, sentence])
        for name in ["dan", "erin"] { try stage.asks("\(name)@else.example") }
        #expect(stage.said() == [])
        #expect(stage.desk.nextDeadline == .seconds(1_060))
        stage.pass(.seconds(60))
        #expect(
            stage.said() == Array(repeating: "2 more requests:\n2: dan@else.example\n3: erin@else.example", count: 2))

        stage.hears("accept 1", from: "admin@example.test/desk")
        #expect(
            stage.said() == [
                "request 1 (carol@else.example) accepted by admin@example.test.",
                "request 1 (carol@else.example) accepted.",
            ])
        #expect(stage.did() == ["subscribed carol@else.example"])
        stage.hears("!deny 1", from: "boss@example.test/x")
        #expect(stage.said() == ["request 1 was already accepted by admin@example.test."])
        stage.hears("requests", from: "boss@example.test/x")
        #expect(stage.said() == ["2: dan@else.example\n3: erin@else.example"])
        stage.hears("deny dan@else.example", from: "boss@example.test/x")
        stage.hears("accept all @else.example", from: "boss@example.test/x")
        #expect(stage.did() == ["unsubscribed dan@else.example", "subscribed erin@else.example"])
        _ = stage.said()
        stage.hears("requests", from: "boss@example.test/x")
        stage.hears("accept 99", from: "boss@example.test/x")
        stage.hears("accept", from: "boss@example.test/x")
        #expect(
            stage.said() == [
                "No request is waiting.", "No such request waits; requests lists those that do.",
                "Which? Like: accept 7, accept carol@else.example or accept all @else.example",
            ])
        #expect(stage.ledger.pending.isEmpty)
        stage.pass(.seconds(120))
        #expect(stage.desk.nextDeadline == nil)
    }

    @Test("a pending request survives a restart with its number")
    func pendingSurvives() throws {
        let first = try Stage()
        try first.asks("carol@else.example")
        let second = try Stage(ledger: first.ledger)
        try second.asks("carol@else.example")
        #expect(second.said() == [])
        second.hears("accept 1", from: "admin@example.test/desk")
        #expect(second.did() == ["subscribed carol@else.example"])
    }

    @Test("with no admins the log names the command that accepts")
    func noAdmins() throws {
        let stage = try Stage(admins: [])
        try stage.asks("carol@else.example")
        #expect(stage.sink.lines.contains { $0.hasSuffix("command=echobot requests accept carol@else.example") })
        #expect(stage.said() == [])
        #expect(stage.desk.nextDeadline == nil)
    }

    @Test("the greeting goes once to a newly accepted person, restarts and new requests included")
    func greeting() throws {
        let first = try Stage(fallback: .accept) { $0.greeting = "Welcome" }
        try first.asks("alice@else.example")
        #expect(first.said() == ["Welcome"])
        first.desk.unsubscribed(by: try JID("alice@else.example"), at: first.moment)
        try first.asks("alice@else.example")
        let second = try Stage(fallback: .accept, ledger: first.ledger) { $0.greeting = "Welcome" }
        try second.asks("alice@else.example")
        #expect(first.said() + second.said() == [])
        #expect(first.did() == ["subscribed alice@else.example", "subscribed alice@else.example"])
    }

    @Test("whoever removed the bot is asked about afresh, and a request taken back waits no more")
    func removed() throws {
        let stage = try Stage()
        try stage.asks("carol@else.example")
        stage.desk.unsubscribed(by: try JID("carol@else.example/x"), at: stage.moment)
        #expect(stage.desk.pendingRequests == [])
        #expect(stage.ledger.endings == [1: .withdrawn])
        try stage.asks("carol@else.example")
        #expect(stage.desk.pendingRequests.map(\.number) == [2])
    }

    @Test("a command right behind 5,000 requests is answered in its turn")
    func flood() throws {
        let stage = try Stage(opsBot)
        for number in 0..<5_000 { try stage.asks("user\(number)@spam.example") }
        stage.hears("!ping")
        #expect(stage.said().last == "pong")
        #expect(stage.desk.pendingRequests.count == 5_000)
        stage.pass(.seconds(60))
        let digest = stage.said().first ?? ""
        #expect(digest.hasPrefix("4999 more requests:\n2: user1@spam.example\n"))
        #expect(digest.hasSuffix("and 4989 more"))
        stage.hears("deny all @spam.example", from: "admin@example.test/desk")
        #expect(stage.said() == ["5000 requests denied."])
    }

    static let selectors: [(String, RequestSelector?)] = [
        ("7", .number(7)), (" 7 ", .number(7)), ("all @else.example", .domain("else.example")),
        ("ALL @Else.Example", .domain("else.example")), ("", nil), ("all", nil), ("all else.example", nil),
        ("else.example", nil), ("7 8", nil), ("99999999999999999999", nil), ("all @a@b", nil), ("1 2 3", nil),
    ]

    @Test("what stands behind accept and deny is read strictly", arguments: selectors)
    func selector(text: String, expected: RequestSelector?) { #expect(RequestSelector(text) == expected) }
}
