import BellhopBot
import BellhopDiagnostics
import BellhopJournal
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("The outbox on the wire", .timeLimit(.minutes(2)))
struct OutboxTests {
    private func runs(_ script: (TestServer, Configuration) async throws -> Void) async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                try await script(server, try BotConfiguration.standard(server, folder: folder))
            }
        }
    }

    private func ask(_ request: ControlRequest, _ configuration: Configuration) -> ControlClient.Outcome {
        ControlClient.ask(
            request, for: configuration.account.jid, at: ControlServer.path(journal: configuration.journal.path))
    }

    private func list(_ configuration: Configuration) throws -> [OutboxRow] {
        guard case .answered(.outbox(let rows, 0)) = ask(.listOutbox(Invocation.OutboxFilter()), configuration) else {
            throw TestServerFailure(wanted: "a list", reason: .ended("none came"), instead: [])
        }
        return rows
    }

    private func change(
        _ verb: OutboxVerb, _ row: Int64, _ configuration: Configuration
    ) throws -> (done: [Int64], refused: [OutboxRefusal], hold: OutboxHold?) {
        let outcome = ask(.changeOutbox(verb, .number(row), Invocation.OutboxFilter()), configuration)
        return try told(outcome)
    }

    private func told(
        _ outcome: ControlClient.Outcome
    ) throws -> (done: [Int64], refused: [OutboxRefusal], hold: OutboxHold?) {
        guard case .answered(.changedOutbox(let changed, let hold)) = outcome else {
            throw TestServerFailure(wanted: "an answer", reason: .ended("\(outcome)"), instead: [])
        }
        return (changed.done.map(\.row), changed.refused.map(\.why), hold)
    }

    private func bounce(_ message: Element, over wire: Wire) async throws {
        wire.connection.send(
            """
            <message type='error' from='\(message["to"] ?? "")' to='\(BotConfiguration.bound)' id='\(message["id"] ?? "")'>\
            <error type='cancel'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>
            """)
        try await wire.settle()
    }

    /// Ends the bot as far as that is possible without ending the process: nothing is finished.
    private func cutOff(_ online: OnlineBot) async throws {
        online.bot.stop()
        online.bot.stop()
        _ = try await online.bot.ending()
    }

    @Test("what came back is listed, sent again under its id, and then no longer listed nor sent")
    func retried() async throws {
        try await runs { server, configuration in
            try await OnlineBot.running(configuration, server, .inline) { online in
                online.say("!ping")
                let first = try await online.wire.expect(body: "pong")
                #expect(try change(.retry, 2, configuration).refused == [.sent])
                try await bounce(first, over: online.wire)
                for number in 1...3 {
                    online.say("!echo \(number)")
                    try await online.wire.expect(body: "\(number)")
                }
                let rows = try list(configuration)
                #expect(rows.map(\.number) == [2] && rows.map(\.to) == ["alice@example.test"])
                guard case .failed(_, "item-not-found")? = rows.first?.state else {
                    Issue.record("\(rows)")
                    return
                }
                guard case .answered(.status(let status)) = ask(.status, configuration) else {
                    Issue.record("no status")
                    return
                }
                #expect(status.failed == 1 && status.queued == 0)
                let retried = try change(.retry, 2, configuration)
                #expect(retried.done == [2] && retried.hold == nil)
                let again = try await online.wire.expect(body: "pong")
                #expect(again == first)
                #expect(try list(configuration).isEmpty)
                #expect(try change(.retry, 2, configuration).refused == [.sent])
                #expect(try await online.stop() == .success)
                let states = try online.bot.rows().filter { $0.direction == .outgoing }.map(\.state)
                #expect(states == [.sent, .sent, .sent, .sent])
            }
            try await OnlineBot.running(configuration, server, .inline) { online in
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages == [])
            }
        }
    }

    @Test("what waits offline is listed with the reason; one is given up, the other leaves after the login")
    func offline() async throws {
        try await OnlineBot.running { online in
            let configuration = online.bot.configuration
            online.say("!slow 3")
            online.say("!slow 4", from: "bob@example.test/x")
            try await online.wire.settle()
            try await online.server.stopListening()
            online.wire.connection.drop()
            try await online.bot.sink.expect("offline")
            online.bot.standard.clock.advance(by: .seconds(4))
            try await online.bot.idle()
            let rows = try list(configuration)
            #expect(Set(rows.map(\.to)) == ["alice@example.test", "bob@example.test"])
            for row in rows {
                guard case .waiting(.offline(.some)) = row.state else {
                    Issue.record("\(row)")
                    continue
                }
            }
            let alice = try #require(rows.first { $0.to == "alice@example.test" })
            #expect(try change(.retry, alice.number, configuration).refused == [.waiting])
            #expect(try change(.drop, alice.number, configuration).done == [alice.number])
            #expect(try list(configuration).map(\.to) == ["bob@example.test"])
            try online.server.listen()
            let wire = try await online.reconnected()
            try await wire.expect(body: "done 4")
            try await wire.settle(online.bot)
            #expect(wire.messages.count == 1)
            #expect(try online.bot.rows().first { $0.row.number == alice.number }?.state == .dropped)
        }
    }

    @Test("an admin retries while the bot is offline, and it leaves in its old place", arguments: [false, true])
    func order(isCut: Bool) async throws {
        try await runs { server, configuration in
            var first: Element?
            try await OnlineBot.running(configuration, server) { online in
                online.say("!ping")
                first = try await online.wire.expect(body: "pong")
                try await bounce(try #require(first), over: online.wire)
                online.say("!slow 3", from: "bob@example.test/x")
                try await online.wire.settle()
                try await server.stopListening()
                online.wire.connection.drop()
                try await online.bot.sink.expect("offline")
                online.bot.standard.clock.advance(by: .seconds(3))
                try await online.bot.idle()
                let retried = try change(.retry, 2, configuration)
                guard retried.done == [2], case .offline? = retried.hold else {
                    Issue.record("\(retried)")
                    return
                }
                if isCut {
                    try await cutOff(online)
                } else {
                    online.bot.stop()
                    _ = try await online.bot.ending()
                }
            }
            try server.listen()
            try await OnlineBot.running(configuration, server) { online in
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages.compactMap(\.body) == ["pong", "done 3"])
                #expect(online.wire.messages.first?.withoutDelay == first)
                try await cutOff(online)
            }
            try await OnlineBot.running(configuration, server) { online in
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages == [])
            }
        }
    }

    @Test("a retry during a pause waits for its end, and a bot cut off in between sends it once after that")
    func paused() async throws {
        try await runs { server, configuration in
            try await OnlineBot.running(configuration, server) { online in
                online.say("!ping")
                try await bounce(try await online.wire.expect(body: "pong"), over: online.wire)
                _ = ask(.pause, configuration)
                #expect(try change(.retry, 2, configuration).hold == .paused)
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages.compactMap(\.body).filter { $0 == "pong" }.count == 1)
                try await cutOff(online)
            }
            try await OnlineBot.running(configuration, server) { online in
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages.compactMap(\.body).filter { $0 == "pong" }.isEmpty)
                #expect(try list(configuration).contains { $0.number == 2 && $0.state == .waiting(.paused) })
                _ = ask(.resume, configuration)
                try await online.wire.expect(body: "pong")
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages.compactMap(\.body).filter { $0 == "pong" }.count == 1)
                try await cutOff(online)
            }
            try await OnlineBot.running(configuration, server) { online in
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages.compactMap(\.body).filter { $0 == "pong" }.isEmpty)
            }
        }
    }

    @Test("without a bot the journal itself is read and changed, and the next start sends")
    func alone() async throws {
        try await runs { server, configuration in
            let stored = StoredOutbox(configuration: configuration, log: .silent)
            func change(_ verb: OutboxVerb, _ row: Int64) throws -> (
                done: [Int64], refused: [OutboxRefusal], hold: OutboxHold?
            ) {
                guard case .answered(let answer) = stored.change(verb, .number(row), Invocation.OutboxFilter()) else {
                    throw TestServerFailure(wanted: "an answer", reason: .ended("none"), instead: [])
                }
                return try told(.answered(answer))
            }
            #expect(try change(.retry, 2).refused == [.unknown])
            #expect(!SystemFile.exists(configuration.journal.path))
            var first: Element?
            try await OnlineBot.running(configuration, server) { online in
                online.say("!ping")
                first = try await online.wire.expect(body: "pong")
                try await bounce(try #require(first), over: online.wire)
                // The bot has the journal.
                guard case .journal(.alreadyRunning) = stored.change(.drop, .all, Invocation.OutboxFilter()) else {
                    Issue.record("a journal in use was changed")
                    return
                }
                #expect(try await online.stop() == .success)
            }
            guard case .answered(.outbox(let rows, 0)) = stored.list(Invocation.OutboxFilter()) else {
                Issue.record("no list")
                return
            }
            #expect(rows.map(\.number) == [2])
            #expect(try change(.retry, 2).hold == .notRunning)
            #expect(try change(.retry, 2).refused == [.waiting])
            #expect(try change(.retry, 1).refused == [.unknown])
            try await OnlineBot.running(configuration, server) { online in
                try await online.wire.settle(online.bot)
                #expect(online.wire.messages.map(\.withoutDelay) == [try #require(first)])
            }
        }
    }

    @Test("a retried message that a cut took with it is on its way, and goes out again when the stream does, once")
    func resumed() async throws {
        try await runs { server, configuration in
            var first: Element?
            try await BotUnderTest.running(configuration, StandardBot(.inline)) { bot in
                let connection = try await server.connection()
                _ = try await connection.login(
                    as: BotConfiguration.account, roster: OnlineBot.contacts, features: TestConnection.offersStreams)
                try await connection.enableStream(id: "s1")
                let wire = Wire(connection)
                connection.send(OnlineBot.message("!ping", id: "a"))
                first = try await wire.expect(body: "pong")
                // Roster, presence and the answer.
                connection.acknowledge(5)
                try await bounce(try #require(first), over: wire)
                #expect(try change(.retry, 2, configuration).done == [2])
                #expect(try await wire.expect(body: "pong") == first)
                #expect(try list(configuration).map(\.state) == [.leaving])
                #expect(try change(.drop, 2, configuration).refused == [.leaving])
                bot.stop()
                bot.stop()
                _ = try await bot.ending()
            }
            let stored = StoredOutbox(configuration: configuration, log: .silent)
            guard case .answered(.outbox(let rows, 0)) = stored.list(Invocation.OutboxFilter()),
                case .answered(let answer) = stored.change(.drop, .number(2), Invocation.OutboxFilter())
            else {
                Issue.record("no answer")
                return
            }
            #expect(rows.map(\.state) == [.leaving])
            #expect(try told(.answered(answer)).refused == [.leaving])
            try await BotUnderTest.running(configuration, StandardBot(.inline)) { bot in
                let connection = try await server.connection()
                _ = try await connection.expectResumption()
                // The answer to the ping of the bounce arrived, the retried message did not.
                connection.resumeStream(handled: 6)
                let wire = Wire(connection)
                #expect(try await wire.expect(body: "pong") == first)
                try await wire.settle(bot)
                #expect(wire.messages.count == 1)
                // Then the roster was asked for.
                connection.acknowledge(8)
                try await wire.settle(bot)
                #expect(try list(configuration).isEmpty)
                try await wire.settle(bot)
                #expect(try bot.rows().first { $0.row.number == 2 }?.state == .acknowledged)
            }
        }
    }

    @Test("an admin lists and retries in the chat")
    func inTheChat() async throws {
        let admin = "admin@example.test/desk"
        try await OnlineBot.running(.inline) { online in
            online.say("!ping")
            try await bounce(try await online.wire.expect(body: "pong"), over: online.wire)
            online.say("outbox", from: admin)
            try await online.wire.expect("a list") {
                $0.body?.contains("2 to alice@example.test, ") == true
                    && $0.body?.contains("came back: nobody has this address (item-not-found)") == true
            }
            online.say("outbox retry 2", from: admin)
            try await online.wire.expect(body: "I send message 2 to alice@example.test again.")
            try await online.wire.expect(body: "pong", to: "alice@example.test/phone")
            online.say("outbox", from: admin)
            try await online.wire.expect(body: "Nothing waits to be sent, and nothing came back in the last 7 days.")
        }
    }

    @Test("a text that is not kept is not sent again, and its person is told why")
    func withoutTexts() async throws {
        try await OnlineBot.running(configure: { $0.journal.bodies = false }) { online in
            online.say("!ping")
            try await bounce(try await online.wire.expect(body: "pong"), over: online.wire)
            #expect(try change(.retry, 2, online.bot.configuration).refused == [.notWhole])
            #expect(try change(.drop, 2, online.bot.configuration).done == [2])
        }
    }
}

extension Element {
    /// What is sent long after it was queued says so (XEP-0203).
    fileprivate var withoutDelay: Element {
        var element = self
        element.nodes.removeAll { if case .element(let child) = $0 { child.name == "delay" } else { false } }
        return element
    }
}
