import BellhopBot
import BellhopJournal
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("A bot that sends at a pace of its own", .timeLimit(.minutes(2)))
struct PaceTests {
    private static func paced(_ configuration: inout Configuration) {
        configuration.account.connection.sending.perSecond = 100
        configuration.account.connection.sending.burst = 5
    }

    /// From now on ten milliseconds, in which one message may leave, pass with every answer up to this one, and no time besides.
    private static func tick(_ clock: HeldClock, at wire: Wire, through last: Int) {
        clock.hold()
        wire.connection.respond { stanza in
            if let body = stanza.body, body.hasPrefix("spam "), Int(body.dropFirst(5)) ?? .max < last {
                clock.pass(.milliseconds(10))
            }
            return nil
        }
    }

    private static let spam = (0..<200).map { "spam \($0)" }

    private static func bodies(_ wires: Wire..., to person: String = "alice@example.test/phone") -> [String] {
        wires.flatMap(\.messages).filter { $0["to"] == person }.compactMap(\.body)
    }

    @Test(
        "200 answers leave one after the other, and somebody else's is not behind them (C120)",
        arguments: [false, true])
    func turns(inTasks: Bool) async throws {
        let clock = HeldClock()
        try await OnlineBot.running(
            inTasks ? .tasks : .inline, configure: Self.paced, change: { $0.world = clock.loopWorld }
        ) { online in
            clock.hold()
            online.wire.connection.sendBytes([
                Array(
                    (OnlineBot.message("!spam 200", id: "s")
                        + OnlineBot.message("!ping", from: "bob@example.test/y", id: "p")).utf8)
            ])
            // All of it waits before more than the burst may leave.
            try await online.wire.settle(online.bot)
            #expect(online.wire.messages.count == 5)
            clock.run()
            try await online.wire.expect(body: "spam 199")
            #expect(Self.bodies(online.wire) == Self.spam)
            let place = online.wire.messages.firstIndex { $0.body == "pong" }
            #expect(place ?? .max < 10, "\(String(describing: place))")
            try await online.wire.settle(online.bot)
            #expect(online.wire.messages.count == 201)
            #expect(try await online.stop() == .success)
            let rows = try online.bot.rows().filter { $0.direction == .outgoing }
            #expect(rows.count == 201 && rows.allSatisfy { $0.state == .sent })
        }
    }

    @Test("the stream ends in the middle: the rest follows after the next login, in order, each once (C120)")
    func reconnect() async throws {
        let clock = HeldClock()
        try await OnlineBot.running(.inline, configure: Self.paced, change: { $0.world = clock.loopWorld }) { online in
            Self.tick(clock, at: online.wire, through: 30)
            online.say("!spam 200", id: "s")
            try await online.wire.expect(body: "spam 30")
            online.wire.connection.close()
            try await online.wire.readToEnd()
            clock.run()
            let second = try await online.reconnected()
            try await second.expect(body: "spam 199")
            try await second.settle(online.bot)
            #expect(Self.bodies(online.wire, second) == Self.spam)
            #expect(!second.messages.isEmpty && second.messages.count < 170)
        }
    }

    @Test("the bot stops in the middle: the next run sends the rest, in order, each once (C120)")
    func restart() async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                Self.paced(&configuration)
                var said: [String] = []
                let clock = HeldClock()
                try await OnlineBot.running(
                    configuration, server, .inline, change: { $0.world = clock.loopWorld }
                ) { online in
                    Self.tick(clock, at: online.wire, through: 30)
                    online.say("!spam 200", id: "s")
                    try await online.wire.expect(body: "spam 30")
                    #expect(try await online.stop() == .success)
                    try await online.wire.readToEnd()
                    said = Self.bodies(online.wire)
                }
                try await OnlineBot.running(configuration, server, .inline) { online in
                    try await online.wire.expect(body: "spam 199")
                    try await online.wire.settle(online.bot)
                    #expect(said + Self.bodies(online.wire) == Self.spam)
                    #expect(said.count < 170)
                }
            }
        }
    }

    @Test("5,000 answers wait in the journal, not in memory, and all of them leave in order")
    func many() async throws {
        let bot = Bot {
            Command("much", "") { context in
                for number in 0..<1_000 { context.reply("\(number)") }
                return nil
            }.open().inline()
            Command("ping", "") { _ in "pong" }.open().inline()
        }
        try await OnlineBot.running(
            bot: bot,
            configure: {
                $0.account.connection.sending.perSecond = 5_000
                $0.account.connection.sending.burst = 1
                $0.commands.loopBrake = nil
            }
        ) { online in
            for _ in 0..<5 { online.say("!much") }
            online.say("!ping", from: "bob@example.test/y")
            let waiting = try await online.bot.ask { $0.chat.waiting.count }
            #expect(waiting <= SendingQueue.personLimit + 1)
            for _ in 0..<5 { try await online.wire.expect(body: "999") }
            #expect(Self.bodies(online.wire) == (0..<5).flatMap { _ in (0..<1_000).map(String.init) })
            let pong = online.wire.messages.firstIndex { $0.body == "pong" } ?? .max
            #expect(pong < 4_000)
            #expect(try await online.stop() == .success)
            #expect(try online.bot.rows().allSatisfy { $0.state == .sent || $0.state == .handled })
        }
    }

    @Test("a pause keeps back what waits, and its end sends it")
    func pause() async throws {
        let clock = HeldClock()
        try await OnlineBot.running(.inline, configure: Self.paced, change: { $0.world = clock.loopWorld }) { online in
            Self.tick(clock, at: online.wire, through: 20)
            online.say("!spam 200", id: "s")
            try await online.wire.expect(body: "spam 20")
            _ = try await online.bot.ask { $0.desk.beginPause(by: "a test", at: $0.moment) }
            try await online.wire.settle(online.bot)
            let before = Self.bodies(online.wire).count
            #expect(before < 30)
            clock.pass(.seconds(10))
            try await online.wire.settle(online.bot)
            #expect(Self.bodies(online.wire).count == before)
            clock.run()
            _ = try await online.bot.ask { $0.desk.endPause(by: "a test", at: $0.moment)?.run }
            try await online.wire.expect(body: "spam 199")
            #expect(Self.bodies(online.wire) == Self.spam)
        }
    }

    @Test("what a program sends is done when it has left")
    func errand() async throws {
        try await OnlineBot.running(.inline, configure: Self.paced) { online in
            online.say("!spam 200", id: "s")
            try await online.wire.expect(body: "spam 20")
            let heard = Heard()
            let bob = try JID("bob@example.test")
            _ = try await online.bot.ask { house in
                house.perform(.send(to: bob, text: "hello")) { answer in heard.note("\(answer)") }
            }
            try await online.wire.expect(body: "hello")
            let ping = try await online.wire.expect("a question behind it") { $0.name == "iq" && $0["type"] == "get" }
            online.wire.connection.reply(to: ping)
            try await online.wire.settle(online.bot)
            #expect(heard.all == ["done"])
        }
    }
}
