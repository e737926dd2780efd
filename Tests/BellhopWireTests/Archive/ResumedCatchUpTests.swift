import BellhopBot
import BellhopDiagnostics
import BellhopJournal
import BellhopXML
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Catching up on streams that go on")
struct ResumedCatchUpTests {
    /// A session with stream management, in the middle of a reading behind `live-1`.
    private func begin(_ connection: TestConnection) async throws -> Wire {
        _ = try await connection.login(
            as: BotConfiguration.account, features: TestConnection.offersStreams, discovery: .archive)
        try await connection.enableStream()
        return Wire(connection)
    }

    private func runs(_ script: (TestServer, Configuration) async throws -> Void) async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                configuration.archive.onFirstLogin = .seconds(600)
                try await script(server, configuration)
            }
        }
    }

    @Test("a reading goes on with its stream, and nothing is asked twice")
    func sameProcess() async throws {
        try await runs { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let wire = try await begin(first)
                let question = try await wire.archiveQuestion()
                try await wire.settle(bot)
                first.drop()
                let second = try await server.connection()
                _ = try await second.expectResumption()
                // All of it arrived: the first four, the question, and the answer to the ping.
                second.resumeStream(handled: 6)
                let resumed = Wire(second)
                resumed.archived("a1", of: question, age: 5, OnlineBot.message("!echo one", id: "m1"))
                resumed.endPage(question, last: "a1", complete: true)
                try await resumed.expect(body: "one")
                try await resumed.settle(bot)
                #expect(!resumed.sent.contains { $0.child("query", "urn:xmpp:mam:2") != nil })
                let position = try await bot.ask { $0.ledger.archivePosition }
                #expect(position?.after == "a1" && position?.isUnfinished == false)
            }
        }
    }

    @Test("a new process that takes up a stream takes up the reading, too, where the last page ended")
    func newProcess() async throws {
        try await runs { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let wire = try await begin(first)
                let question = try await wire.archiveQuestion()
                wire.archived("a1", of: question, age: 5, OnlineBot.message("!echo one", id: "m1"))
                wire.endPage(question, last: "a1")
                try await wire.expect(body: "one")
                _ = try await wire.archiveQuestion()
                try await wire.settle(bot)
                first.stall()
                bot.stop()
                bot.stop()
                _ = try await bot.ending()
                first.drop()
            }
            try await BotUnderTest.running(configuration) { bot in
                let second = try await server.connection()
                second.answerDiscovery(.archive)
                _ = try await second.expectResumption()
                // The first four, two questions, and the answer.
                second.resumeStream(handled: 7)
                try await second.answer(
                    "query", "jabber:iq:roster", with: "<query xmlns='jabber:iq:roster'/>")
                let wire = Wire(second)
                let question = try await wire.archiveQuestion()
                #expect(question.page["after"] == "a1")
                wire.archived("a2", of: question, age: 4, OnlineBot.message("!echo two", id: "m2"))
                wire.endPage(question, last: "a2", complete: true)
                try await wire.expect(body: "two")
                try await wire.settle(bot)
                #expect(bot.standard.runs.list.map(\.arguments) == ["two"])
            }
        }
    }

    @Test("where the stream cannot go on, only what nobody knows about is looked for, and what waited leaves at once")
    func uncertain() async throws {
        try await runs { server, configuration in
            var configuration = configuration
            configuration.archive.catchUp = false
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let wire = try await begin(first)
                first.send(OnlineBot.message("!echo one", id: "m1"))
                first.send(OnlineBot.message("!slow 1", from: "bob@example.test/y", id: "m2"))
                let id = try await wire.expect(body: "one")["id"]
                try await wire.settle()
                first.drop()
                try await bot.sink.expect("offline")
                bot.standard.clock.advance(by: .seconds(1))
                try await bot.idle()
                let second = try await server.connection()
                _ = try await second.expectResumption()
                second.answerDiscovery(.archive)
                second.send(
                    "<failed xmlns='urn:xmpp:sm:3' h='3'><item-not-found "
                        + "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>")
                _ = try await second.bind(BotConfiguration.account)
                try await second.answer(
                    "time", "urn:xmpp:time",
                    with: "<time xmlns='urn:xmpp:time'><utc>\(Timestamp.ago(seconds: 0))</utc></time>")
                try await second.enableStream(id: "s2")
                try await second.answer("query", "jabber:iq:roster", with: "<query xmlns='jabber:iq:roster'/>")
                let fresh = Wire(second)
                // Bob's was never written to a stream.
                let late = try await fresh.expect(body: "done 1", to: "bob@example.test/y")
                #expect(late.child("delay", "urn:xmpp:delay") != nil)
                let question = try await fresh.archiveQuestion(with: "alice@example.test")
                fresh.archived(
                    "a1", of: question, age: 2,
                    "<message from='\(BotConfiguration.bound)' to='alice@example.test/phone' type='chat' id='\(id ?? "")'>"
                        + "<body>one</body></message>")
                fresh.endPage(question, last: "a1", complete: true)
                try await fresh.settle(bot)
                #expect(fresh.messages.compactMap(\.body) == ["done 1"])
            }
        }
    }
}
