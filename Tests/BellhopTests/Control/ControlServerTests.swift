import Bellhop
import BellhopDiagnostics
import BellhopTransport
import BellhopXMPP
import Synchronization
import Testing

/// Answers that the bot owes.
private final class HeldAnswers: Sendable {
    private let owed = Mutex<[@Sendable (ControlAnswer) -> Void]>([])

    func hold(_ answered: @escaping @Sendable (ControlAnswer) -> Void) { owed.withLock { $0.append(answered) } }

    func answer(_ answer: ControlAnswer) { owed.withLock { $0 }.forEach { $0(answer) } }

    /// Waits until so much was asked.
    func expect(_ count: Int = 1, until deadline: Duration) throws {
        while owed.withLock(\.count) < count { try #require(MonotonicClock.now() < deadline) }
    }
}

@Suite("The control socket", .timeLimit(.minutes(1)))
struct ControlServerTests {
    let bot: JID

    init() throws { bot = try JID("bot@example.org") }

    private func running<Result>(
        _ limits: ControlServer.Limits = .init(), perform: @escaping ControlServer.Performer = { $1(.done) },
        _ body: (String) throws -> Result
    ) throws -> Result {
        try TemporaryFolder.with { folder in
            let path = ControlServer.path(journal: folder + "/journal.db")
            let server = try ControlServer(path: path, account: bot, limits: limits, log: .silent, perform: perform)
            defer { server.stop() }
            return try body(path)
        }
    }

    /// What comes back for a line that no client of ours would send.
    private func answer(to bytes: [UInt8], at path: String) throws -> ControlAnswer {
        let connection = try LocalConnection(to: path)
        let deadline = MonotonicClock.now() + .seconds(30)
        // A server that has seen enough may close before it has read all.
        try? connection.write(bytes, until: deadline)
        return try ControlAnswer(json: connection.readLine(limit: 1_000_000, until: deadline), sizeLimit: 1_000_000)
    }

    @Test("a request reaches the bot and its answer comes back")
    func answers() throws {
        let row = RequestRow(number: 7, jid: "carol@else.example", askedAt: Timestamp(milliseconds: 0))
        try running(perform: { call, answered in answered(call.request == .listRequests ? .requests([row]) : .done) }) {
            path in
            #expect(ControlClient.ask(.listRequests, for: bot, at: path) == .answered(.requests([row])))
            #expect(ControlClient.ask(.listRoster, for: bot, at: path) == .answered(.done))
        }
    }

    @Test("where no bot runs there is nobody, whether it never was there or died")
    func nobody() throws {
        let path = try running { path in path }
        #expect(ControlClient.ask(.listRoster, for: bot, at: path) == .nobody)
    }

    @Test("a request that is no JSON, has wrong keys or is too long gets its reason")
    func hostile() throws {
        var limits = ControlServer.Limits()
        limits.requestBytes = 1_000
        try running(limits) { (path: String) throws in
            #expect(try answer(to: Array("hello\n".utf8), at: path) == .failed(.notUnderstood("this is no JSON")))
            #expect(
                try answer(to: Array("{\"do\":\"list-roster\",\"x\":0}\n".utf8), at: path)
                    == .failed(.notUnderstood("there is a key that is not known")))
            #expect(
                try answer(to: Array(repeating: 120, count: 1_001), at: path)
                    == .failed(.notUnderstood("more than 1000 bytes came")))
            #expect(ControlClient.ask(.listRoster, for: bot, at: path) == .answered(.done))
        }
    }

    @Test("half a line and then silence is given up, and keeps nobody else waiting")
    func silence() throws {
        var limits = ControlServer.Limits()
        limits.transfer = .milliseconds(50)
        try running(limits) { (path: String) throws in
            #expect(
                try answer(to: Array("{\"do\":\"li".utf8), at: path)
                    == .failed(.notUnderstood("no answer in time")))
        }
        limits.transfer = .seconds(3_600)
        try running(limits) { (path: String) throws in
            let silent = try LocalConnection(to: path)
            try silent.write(Array("{\"do\":\"li".utf8), until: MonotonicClock.now() + .seconds(30))
            #expect(ControlClient.ask(.listRoster, for: bot, at: path) == .answered(.done))
        }
    }

    @Test("where all places are taken by those who have asked, the next is told that the bot is busy")
    func busy() throws {
        var limits = ControlServer.Limits()
        limits.connections = 1
        let held = HeldAnswers()
        try running(limits, perform: { held.hold($1) }) { (path: String) throws in
            let first = try LocalConnection(to: path)
            let deadline = MonotonicClock.now() + .seconds(30)
            try first.write(Array((AddressedRequest(.listRoster, for: bot).json + "\n").utf8), until: deadline)
            try held.expect(until: deadline)
            // It is told before it has asked anything: a question may find the door shut already.
            let second = try LocalConnection(to: path)
            #expect(
                try second.readLine(limit: 1_000, until: deadline) == Array(ControlAnswer.failed(.busy).json.utf8))
            #expect(ControlClient.ask(.status, for: bot, at: path) == .answered(.failed(.busy)))
            held.answer(.done)
            #expect(try first.readLine(limit: 1_000, until: deadline) == Array(ControlAnswer.done.json.utf8))
        }
    }

    @Test("who has asked nothing makes room for the next, and is told so")
    func idle() throws {
        var limits = ControlServer.Limits()
        limits.connections = 2
        limits.transfer = .seconds(3_600)
        try running(limits) { (path: String) throws in
            let deadline = MonotonicClock.now() + .seconds(30)
            let first = try LocalConnection(to: path)
            let second = try LocalConnection(to: path)
            #expect(ControlClient.ask(.listRoster, for: bot, at: path) == .answered(.done))
            #expect(
                try first.readLine(limit: 1_000, until: deadline) == Array(ControlAnswer.failed(.busy).json.utf8))
            #expect(throws: LocalFault.self) { try first.readLine(limit: 1_000, until: deadline) }
            try second.write(Array((AddressedRequest(.listRoster, for: bot).json + "\n").utf8), until: deadline)
            #expect(try second.readLine(limit: 1_000, until: deadline) == Array(ControlAnswer.done.json.utf8))
        }
    }

    @Test("who went away before the answer came keeps no place")
    func wentAway() throws {
        var limits = ControlServer.Limits()
        limits.connections = 1
        let held = HeldAnswers()
        try running(limits, perform: { $0.request == .listRoster ? held.hold($1) : $1(.done) }) {
            (path: String) throws in
            let deadline = MonotonicClock.now() + .seconds(30)
            var first: LocalConnection? = try LocalConnection(to: path)
            try first?.write(Array((AddressedRequest(.listRoster, for: bot).json + "\n").utf8), until: deadline)
            try held.expect(until: deadline)
            #expect(ControlClient.ask(.status, for: bot, at: path) == .answered(.failed(.busy)))
            first = nil
            while ControlClient.ask(.status, for: bot, at: path) != .answered(.done) {
                try #require(MonotonicClock.now() < deadline)
            }
        }
    }

    @Test("who waits for long is told that the bot is at work")
    func signs() throws {
        var limits = ControlServer.Limits()
        limits.sign = .milliseconds(1)
        let held = HeldAnswers()
        try running(limits, perform: { held.hold($1) }) { (path: String) throws in
            let deadline = MonotonicClock.now() + .seconds(30)
            let connection = try LocalConnection(to: path)
            try connection.write(Array((AddressedRequest(.listRoster, for: bot).json + "\n").utf8), until: deadline)
            for _ in 0..<3 { #expect(try connection.readLine(limit: 1_000, until: deadline) == []) }
            held.answer(.done)
            #expect(
                try connection.readAnswer(limit: 1_000, patience: .seconds(30)) == Array(ControlAnswer.done.json.utf8))
        }
    }

    @Test(
        "a bot that says nothing at all is given up at the same time whatever it was asked",
        arguments: [
            .status, .examine, .fetch(try JID("ann@example.org"), since: .seconds(60)),
            .forget(try JID("ann@example.org")),
        ] as [ControlRequest])
    func frozen(request: ControlRequest) throws {
        try TemporaryFolder.with { folder in
            // As with a stopped process, the system takes the connection and nobody serves it.
            let listener = try LocalListener(path: folder + "/s")
            defer { listener.close() }
            #expect(
                ControlClient.ask(request, for: bot, at: folder + "/s", patience: .milliseconds(20))
                    == .failed(.timedOut))
            #expect(ControlClient.patience == .seconds(60))
        }
    }

    @Test("ten megabytes in one line are given up at the limit, and the next who asks is served")
    func enormousLine() throws {
        try running { (path: String) throws in
            let line = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000_000)
            let connection = try LocalConnection(to: path)
            let deadline = MonotonicClock.now() + .seconds(30)
            #expect(throws: LocalFault.closed) { try connection.write(line, until: deadline) }
            #expect(ControlClient.ask(.listRoster, for: bot, at: path) == .answered(.done))
        }
    }

    @Test("who does not fetch a long answer loses it, and keeps nobody else waiting")
    func slowReader() throws {
        let rows = (0..<20_000).map { RosterRow(jid: "contact-\($0)@example.org", state: "both") }
        var limits = ControlServer.Limits()
        limits.connections = 1
        limits.transfer = .milliseconds(100)
        let held = HeldAnswers()
        try running(limits, perform: { $0.request == .listRoster ? held.hold($1) : $1(.done) }) {
            (path: String) throws in
            let slow = try LocalConnection(to: path)
            let deadline = MonotonicClock.now() + .seconds(30)
            try slow.write(Array((AddressedRequest(.listRoster, for: bot).json + "\n").utf8), until: deadline)
            try held.expect(until: deadline)
            held.answer(.roster(rows))
            // The only place becomes free because the answer is given up.
            while ControlClient.ask(.status, for: bot, at: path) != .answered(.done) {
                try #require(MonotonicClock.now() < deadline)
            }
            // Where this test was the slow one, its question was given up, too.
            let line = try? slow.readLine(limit: 16_777_216, until: deadline)
            let answer = line.flatMap { try? ControlAnswer(json: $0, sizeLimit: 16_777_216) }
            #expect(answer != .roster(rows))
        }
    }

    @Test("a crowd of connections that say nothing is bounded, and those who ask are served all the same")
    func crowd() throws {
        var limits = ControlServer.Limits()
        limits.transfer = .seconds(3_600)
        try running(limits) { (path: String) throws in
            let silent = try (0..<limits.connections + 100).map { _ in try LocalConnection(to: path) }
            for one in silent.prefix(100) {
                let line = try one.readLine(limit: 1_000, until: MonotonicClock.now() + .seconds(30))
                #expect(try ControlAnswer(json: line, sizeLimit: 1_000) == .failed(.busy))
            }
            #expect(ControlClient.ask(.status, for: bot, at: path) == .answered(.done))
            withExtendedLifetime(silent) {}
        }
    }

    @Test("a bot that does not answer is not waited for without end")
    func noAnswer() throws {
        var limits = ControlServer.Limits()
        limits.patience = .milliseconds(20)
        try running(limits, perform: { _, _ in }) { path in
            #expect(ControlClient.ask(.listRoster, for: bot, at: path) == .answered(.failed(.noAnswer)))
        }
    }

    @Test("what nobody waits for any more is not carried out, wherever it waited")
    func withdrawn() throws {
        var limits = ControlServer.Limits()
        limits.connections = 1
        let asked = Mutex<[ControlCall]>([])
        try running(
            limits,
            perform: { call, answered in
                asked.withLock { $0.append(call) }
                if call.request == .status { answered(.done) }
            }
        ) { (path: String) throws in
            let deadline = MonotonicClock.now() + .seconds(30)
            // Without an end of its line it is read when nobody is there any more.
            try LocalConnection(to: path).write(
                Array(AddressedRequest(.resume, for: bot).json.utf8), until: deadline)
            while ControlClient.ask(.status, for: bot, at: path) != .answered(.done) {
                try #require(MonotonicClock.now() < deadline)
            }
            #expect(asked.withLock { $0.allSatisfy { $0.request == .status } })
            var second: LocalConnection? = try LocalConnection(to: path)
            try second?.write(Array((AddressedRequest(.pause, for: bot).json + "\n").utf8), until: deadline)
            var call: ControlCall?
            while call == nil {
                call = asked.withLock { $0.first { $0.request == .pause } }
                try #require(MonotonicClock.now() < deadline)
            }
            #expect(call?.isWanted == true)
            second = nil
            #expect(call?.isWanted == false)
        }
    }

    @Test("requests that take long leave places for those that do not")
    func reserve() throws {
        let limits = ControlServer.Limits()
        let held = HeldAnswers()
        let person = try JID("ann@example.org")
        try running(limits, perform: { $0.request == .pause ? $1(.done) : held.hold($1) }) { (path: String) throws in
            let deadline = MonotonicClock.now() + .seconds(30)
            func open(_ request: ControlRequest) throws -> LocalConnection {
                let connection = try LocalConnection(to: path)
                let line = AddressedRequest(request, for: bot).json + "\n"
                try connection.write(Array(line.utf8), until: deadline)
                return connection
            }
            let busy = ControlAnswer.failed(.busy)
            var waiting: [LocalConnection] = []
            for count in 1...4 {
                waiting.append(try open(.fetch(person, since: .seconds(60))))
                try held.expect(count, until: deadline)
            }
            #expect(ControlClient.ask(.forget(person), for: bot, at: path) == .answered(busy))
            for count in 5...6 {
                waiting.append(try open(.send(to: person, text: "x")))
                try held.expect(count, until: deadline)
            }
            #expect(ControlClient.ask(.removeContact(person), for: bot, at: path) == .answered(busy))
            #expect(ControlClient.ask(.pause, for: bot, at: path) == .answered(.done))
            held.answer(.done)
            for connection in waiting {
                #expect(
                    try connection.readLine(limit: 1_000, until: deadline) == Array(ControlAnswer.done.json.utf8))
            }
        }
    }

    @Test("a configuration of another account has nothing done, and a broken one only what looks, and pause")
    func accounts() throws {
        let other = try JID("other@example.org")
        try running { (path: String) throws in
            for request in try ControlRequestTests.every() {
                #expect(
                    ControlClient.ask(request, for: other, at: path)
                        == .answered(.failed(.anotherAccount(own: bot, named: other))))
                let changes =
                    switch request {
                    case .status, .examine, .pause, .listRoster, .listRequests, .listOutbox: false
                    default: true
                    }
                #expect(
                    ControlClient.ask(request, for: nil, at: path)
                        == .answered(changes ? .failed(.noAccount(own: bot)) : .done))
                #expect(ControlClient.ask(request, for: bot, at: path) == .answered(.done))
            }
        }
    }

    @Test(
        "only the user of the bot and root may ask",
        arguments: [
            (1_000, 1_000, true), (0, 1_000, true), (0, 0, true), (1_000, 0, false), (1_001, 1_000, false),
            (nil, 1_000, false),
        ] as [(UInt32?, UInt32, Bool)])
    func peers(peer: UInt32?, own: UInt32, isAdmitted: Bool) {
        #expect(ControlServer.admits(peer: peer, own: own) == isAdmitted)
    }
}
