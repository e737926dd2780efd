import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopTestServer

private struct Refused: Error {}

/// A client of the simulated host, bytes and all, under a clock that only the test moves.
private struct HostStage {
    var host: SimulatedHost
    var time: Int64 = 1_000_000
    /// What the client got on its connection since it was looked at.
    var text = ""
    var orders: [String] = []

    init(plan: FaultPlan = .none, _ change: (inout SimulatedServerOptions) -> Void = { _ in }) throws {
        var options = SimulatedServerOptions(mechanisms: ["PLAIN"])
        change(&options)
        let moment = SimulatedMoment(now: .milliseconds(1_000_000), clock: Timestamp(milliseconds: 1_000_000))
        host = SimulatedHost(SimulatedServer(options), plan: plan, at: moment)
        let alice = try JID(ModelStage.alice)
        host.order(at: moment) { $0.add(alice) }
        collect()
    }

    var moment: SimulatedMoment {
        SimulatedMoment(now: .milliseconds(time), clock: Timestamp(milliseconds: time))
    }

    mutating func collect() {
        for action in host.takeActions() {
            switch action {
            case .write(_, let bytes, _), .startTLS(_, let bytes): text += String(decoding: bytes, as: UTF8.self)
            case .close(let number): orders.append("close \(number)")
            case .drop(let number): orders.append("drop \(number)")
            case .refuse: orders.append("refuse")
            case .accept: orders.append("accept")
            case .kill(let point): orders.append("kill \(point)")
            }
        }
    }

    mutating func take() -> String {
        collect()
        defer { text = "" }
        return text
    }

    mutating func send(_ xml: String, on connection: Int) throws {
        let all = try Element.parse("<all \(ModelStage.namespaces)>\(xml)</all>")
        for element in all.children { host.received(.element(element), from: connection, at: moment) }
        collect()
    }

    mutating func open(_ connection: Int) {
        let header = Element("stream", namespace: "http://etherx.jabber.org/streams").with("to", "bots.example.test")
        host.received(.opened(header), from: connection, at: moment)
        collect()
    }

    mutating func connect() throws -> Int {
        guard let connection = host.connected(at: moment) else { throw Refused() }
        return connection
    }

    /// A client that is online, with stream management.
    mutating func login() throws -> Int {
        let connection = try connect()
        open(connection)
        try send(
            "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>AG9wc2JvdABzZWNyZXQ=</auth>",
            on: connection)
        open(connection)
        try send("<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>", on: connection)
        try send("<enable xmlns='urn:xmpp:sm:3' resume='true'/><presence/>", on: connection)
        return connection
    }

    mutating func say(_ id: String) throws {
        let (alice, account) = (try JID(ModelStage.alice), try JID(ModelStage.account))
        let moment = moment
        host.order(at: moment) { _ = $0.say(id, from: alice, to: account, id: id, at: moment) }
        collect()
    }

    mutating func pass(milliseconds: Int64) {
        time += milliseconds
        host.timePassed(at: moment)
        collect()
    }

    mutating func inflict(_ fault: Fault) {
        host.inflict(fault, at: moment)
        collect()
    }

    /// The bodies in what the client got since it was looked at.
    mutating func bodies() -> [String] {
        take().split(separator: "<body>").dropFirst().map { String($0.prefix { $0 != "<" }) }
    }
}

@Suite("Faults at the simulated host")
struct HostFaultTests {
    @Test("cut: nothing more is said on the line, and the session waits")
    func cut() throws {
        var stage = try HostStage()
        _ = try stage.login()
        _ = stage.take()
        stage.inflict(.cut)
        #expect(stage.take() == "" && stage.orders == ["drop 1"])
        try stage.say("m1")
        #expect(stage.take() == "")
        #expect(stage.host.server.hibernatingCount(of: ModelStage.account) == 1)
    }

    @Test("close: the stream ends in due form")
    func close() throws {
        var stage = try HostStage()
        _ = try stage.login()
        _ = stage.take()
        stage.inflict(.close)
        #expect(stage.take() == "</stream:stream>" && stage.orders == ["close 1"])
    }

    @Test("stall: both directions wait, and go on in order, also by themselves")
    func stall() throws {
        for duration in [Duration?.none, .milliseconds(500)] {
            var stage = try HostStage()
            let line = try stage.login()
            _ = stage.take()
            stage.inflict(.stall(duration))
            try stage.say("m1")
            try stage.send("<message to='\(ModelStage.alice)' type='chat'><body>x</body></message>", on: line)
            stage.pass(milliseconds: 499)
            #expect(stage.take() == "" && stage.host.server.people[ModelStage.alice]?.heard.isEmpty == true)
            if duration == nil { stage.host.resume(at: stage.moment) } else { stage.pass(milliseconds: 1) }
            #expect(stage.bodies() == ["m1"])
            #expect(stage.host.server.people[ModelStage.alice]?.heard.map(\.body) == ["x"])
        }
    }

    @Test("a stall whose time is over ends with whatever comes first")
    func overdue() throws {
        var stage = try HostStage()
        let line = try stage.login()
        _ = stage.take()
        stage.inflict(.stall(.milliseconds(500)))
        stage.time += 600
        try stage.send("<message to='\(ModelStage.alice)' type='chat'><body>x</body></message>", on: line)
        #expect(stage.host.server.people[ModelStage.alice]?.heard.map(\.body) == ["x"])
    }

    @Test("delay: everything comes so much later, each way, in order, until there is none")
    func delay() throws {
        var stage = try HostStage()
        let line = try stage.login()
        _ = stage.take()
        stage.inflict(.delay(.milliseconds(100)))
        try stage.say("m1")
        #expect(stage.host.nextDeadline == stage.moment.now + .milliseconds(100))
        stage.inflict(.delay(.zero))
        try stage.say("m2")
        #expect(stage.take() == "")
        stage.pass(milliseconds: 100)
        #expect(stage.bodies() == ["m1", "m2"])
        stage.inflict(.delay(.milliseconds(100)))
        try stage.send("<iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq>", on: line)
        stage.pass(milliseconds: 100)
        stage.pass(milliseconds: 99)
        #expect(!stage.take().contains("id='p'"))
        stage.pass(milliseconds: 1)
        #expect(stage.take().contains("id='p'"))
    }

    @Test("duplicate: the next message comes twice, the one after it once")
    func duplicate() throws {
        var stage = try HostStage()
        _ = try stage.login()
        _ = stage.take()
        stage.inflict(.duplicate)
        try stage.say("m1")
        try stage.say("m2")
        #expect(stage.bodies() == ["m1", "m1", "m2"])
        // The server counts what it sends.
        #expect(stage.host.server.unacknowledgedIDs(of: ModelStage.account) == ["m1", "m1", "m2"])
    }

    @Test("reorder: so many stanzas in another order; fewer after a second")
    func reorder() throws {
        var stage = try HostStage()
        _ = try stage.login()
        _ = stage.take()
        stage.inflict(.reorder(3))
        try stage.say("m1")
        try stage.say("m2")
        #expect(stage.bodies() == [])
        try stage.say("m3")
        let bodies = stage.bodies()
        #expect(bodies.sorted() == ["m1", "m2", "m3"] && bodies != ["m1", "m2", "m3"])
        try stage.say("m4")
        #expect(stage.bodies() == ["m4"])
        stage.inflict(.reorder(3))
        try stage.say("m5")
        stage.pass(milliseconds: 999)
        #expect(stage.bodies() == [])
        stage.pass(milliseconds: 1)
        #expect(stage.bodies() == ["m5"])
    }

    @Test("truncate: every login can be cut behind every byte")
    func truncate() throws {
        var whole = try HostStage()
        _ = try whole.login()
        let text = whole.take()
        for count in 0...text.utf8.count {
            var stage = try HostStage(plan: FaultPlan([.init(after: 0, .truncate(after: count))]))
            _ = try stage.login()
            let got = stage.take()
            #expect(got == String(decoding: text.utf8.prefix(count), as: UTF8.self))
            #expect(stage.orders == ["drop 1"])
            // The next connection is whole.
            _ = try stage.login()
            #expect(stage.take().utf8.count > 0 && stage.orders == ["drop 1"])
        }
    }

    @Test("freeze: connections are taken and nothing is said on them")
    func freeze() throws {
        var stage = try HostStage()
        _ = try stage.login()
        _ = stage.take()
        stage.inflict(.freeze(.seconds(10)))
        let second = try stage.connect()
        stage.open(second)
        try stage.say("m1")
        stage.pass(milliseconds: 9_999)
        #expect(stage.take() == "")
        stage.pass(milliseconds: 1)
        let text = stage.take()
        #expect(text.contains("<body>m1</body>") && text.contains("<stream:features>"))
    }

    @Test("refuse: no connection is taken until it is over; the one that is there goes on")
    func refuse() throws {
        var stage = try HostStage()
        _ = try stage.login()
        _ = stage.take()
        stage.inflict(.refuse(.seconds(1)))
        #expect(throws: Refused.self) { try stage.connect() }
        try stage.say("m1")
        #expect(stage.bodies() == ["m1"])
        stage.pass(milliseconds: 1_000)
        #expect(stage.orders == ["refuse", "accept"])
        #expect(try stage.connect() == 2)
    }

    @Test("restart: all lines are dropped and no session is left, but nothing that was said")
    func restart() throws {
        var stage = try HostStage()
        _ = try stage.login()
        try stage.say("m1")
        _ = stage.take()
        stage.inflict(.restart)
        #expect(stage.orders == ["drop 1"])
        _ = try stage.login()
        #expect(stage.bodies() == ["m1"])
    }

    @Test("a plan strikes behind its stanzas, in order, and what it did is told")
    func plan() throws {
        let plan = FaultPlan([
            .init(after: 6, .cut), .init(after: 4, .kill(.beforeSending)), .init(after: 6, .refuse(nil)),
        ])
        #expect(plan.steps.map(\.stanza) == [4, 6, 6])
        var stage = try HostStage(plan: plan)
        // bind and its answer, presence and its echo
        _ = try stage.login()
        #expect(stage.host.stanzaCount == 4 && stage.orders == ["kill beforeSending"])
        _ = stage.take()
        try stage.say("m1")
        try stage.say("m2")
        #expect(stage.orders == ["kill beforeSending", "drop 1", "refuse"])
        // The sixth stanza is before the cut.
        #expect(stage.bodies() == ["m1", "m2"])
        #expect(stage.host.inflicted == plan.steps)
    }

    @Test("one seed is one plan")
    func seeded() {
        let plan = FaultPlan.seeded(42, count: 30, over: 100)
        #expect(plan == FaultPlan.seeded(42, count: 30, over: 100))
        #expect(plan != FaultPlan.seeded(43, count: 30, over: 100))
        #expect(plan.steps.count == 30 && plan.steps.allSatisfy { 1...100 ~= $0.stanza })
        #expect(plan.steps.map(\.stanza) == plan.steps.map(\.stanza).sorted())
        #expect(FaultPlan.seeded(1, count: 3, over: 0).steps.map(\.stanza) == [1, 1, 1])
        #expect(FaultPlan.seeded(1, count: -1, over: 10).steps == [])
        #expect(FaultPlan.seeded(1, count: 3, over: 10, of: []).steps == [])
    }

    @Test("hostile numbers do no harm")
    func hostile() throws {
        var stage = try HostStage()
        for fault in [
            Fault.truncate(after: -1), .reorder(-5), .reorder(0), .delay(.seconds(-1)), .stall(.seconds(-1)),
            .freeze(.zero), .refuse(.seconds(-1)),
        ] {
            stage.inflict(fault)
            stage.pass(milliseconds: 1)
        }
        stage.host.resume(at: stage.moment)
        _ = stage.host.connected(at: stage.moment)
        stage.host.received(.closed, from: 99, at: stage.moment)
        stage.host.disconnected(99, at: stage.moment)
        stage.host.secured(99, at: stage.moment)
        #expect(try stage.login() > 0)
    }
}
