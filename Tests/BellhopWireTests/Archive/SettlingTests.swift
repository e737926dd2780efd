import BellhopBot
import BellhopJournal
import BellhopXML
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Replies of unknown fate")
struct SettlingTests {
    /// A bot whose reply to alice was written when the stream ended, so that nobody knows what became of it; then the second
    /// connection, and the id of the reply. The server's clock is so many seconds ahead.
    private func uncertain(
        _ messages: [String] = [OnlineBot.message("!ping", id: "a")], ahead: Int = 0,
        _ script: (OnlineBot, Wire, _ ids: [String: String]) async throws -> Void
    ) async throws {
        try await OnlineBot.running(
            .inline, discovery: .archive, server: { $0.time = { "\(Timestamp.ago(seconds: -ahead))" } },
            configure: { $0.archive.catchUp = false }
        ) { online in
            online.wire.connection.sendBytes([Array((messages.joined() + "</stream:stream>").utf8)])
            let second = try await online.reconnected(discovery: .archive)
            let rows = try online.bot.rows().filter { $0.direction == .outgoing }
            let ids = Dictionary(rows.map { ($0.peer, $0.id ?? "") }) { first, _ in first }
            try await script(online, second, ids)
        }
    }

    private func reply(_ id: String, to: String) -> String {
        "<message from='\(BotConfiguration.bound)' to='\(to)' type='chat' id='\(id)'><body>pong</body></message>"
    }

    @Test("a reply that the archive has is not sent again")
    func arrived() async throws {
        try await uncertain { online, wire, ids in
            let question = try await wire.archiveQuestion()
            #expect(question.form["with"] == "alice@example.test")
            let start = try #require(question.form["start"].flatMap(Timestamp.init))
            #expect(start <= .ago(seconds: 58) && start > .ago(seconds: 600))
            wire.archived(
                "a1", of: question, age: 2, reply(ids["alice@example.test"] ?? "", to: "alice@example.test/phone"))
            wire.endPage(question, last: "a1", complete: true)
            try await wire.settle(online.bot)
            #expect(wire.messages == [])
            #expect(try await online.stop(over: wire) == .success)
            #expect(try online.bot.rows().map(\.state) == [.handled, .acknowledged])
        }
    }

    @Test("neither is one whose origin id the archive has, on a later page")
    func originID() async throws {
        try await uncertain { online, wire, ids in
            let question = try await wire.archiveQuestion()
            wire.archived("a1", of: question, age: 9, OnlineBot.message("!ping", id: "a"))
            wire.endPage(question, last: "a1")
            let next = try await wire.archiveQuestion()
            let changed = reply("changed-by-the-server", to: "alice@example.test/phone").replacing(
                "<body>",
                with: "<origin-id xmlns='urn:xmpp:sid:0' id='\(ids["alice@example.test"] ?? "")'/><body>")
            wire.archived("a2", of: next, age: 2, changed)
            wire.endPage(next, last: "a2", complete: true)
            try await wire.settle(online.bot)
            #expect(wire.messages == [])
        }
    }

    @Test("a reply that the archive does not have is sent again under its id, and says since when it waits")
    func lost() async throws {
        try await uncertain(ahead: 3_600) { online, wire, ids in
            let question = try await wire.archiveQuestion()
            // The server's clock is an hour ahead now; when the reply was queued ours may have been right: the earlier counts.
            let start = try #require(question.form["start"].flatMap(Timestamp.init))
            #expect(start <= .ago(seconds: 58) && start > .ago(seconds: 600))
            // Of somebody else, under the same id.
            wire.archived(
                "a1", of: question, age: 2,
                OnlineBot.message("pong", id: ids["alice@example.test"]))
            wire.endPage(question, last: "a1", complete: true)
            let sent = try await wire.expect(body: "pong", to: "alice@example.test/phone")
            #expect(sent["id"] == ids["alice@example.test"])
            let delay = sent.child("delay", "urn:xmpp:delay")?["stamp"].flatMap { Timestamp($0) }
            #expect(try delay == #require(online.bot.rows().last).receivedAt)
            try await wire.settle(online.bot)
            #expect(wire.messages.count == 1)
            #expect(try await online.stop(over: wire) == .success)
            #expect(try online.bot.rows().map(\.state) == [.handled, .sent])
        }
    }

    @Test("meanwhile later messages to the same person wait, in their order, and others flow")
    func order() async throws {
        try await uncertain { online, wire, _ in
            let question = try await wire.archiveQuestion()
            online.say("!echo two", id: "b", over: wire)
            online.say("!echo bob", from: "bob@example.test/y", id: "c", over: wire)
            online.say("!echo three", id: "d", over: wire)
            try await wire.expect(body: "bob")
            try await wire.settle()
            #expect(wire.messages.count == 1)
            wire.endPage(question, last: nil, complete: true)
            try await wire.expect(body: "three")
            #expect(wire.messages.compactMap(\.body) == ["bob", "pong", "two", "three"])
            #expect(try await online.stop(over: wire) == .success)
            #expect(try online.bot.rows().filter { $0.direction == .outgoing }.allSatisfy { $0.state == .sent })
        }
    }

    @Test("several persons are settled each for themselves, more than are asked about at once")
    func several() async throws {
        let people = (1...7).map { "p\($0)@example.test" }
        try await uncertain(people.map { OnlineBot.message("!ping", from: "\($0)/x", id: $0) }) { online, wire, ids in
            for person in people {
                let question = try await wire.archiveQuestion(with: person)
                if person == "p3@example.test" {
                    wire.archived("a1", of: question, age: 1, reply(ids[person] ?? "", to: person))
                }
                wire.endPage(question, last: nil, complete: true)
            }
            try await wire.expect(body: "pong", to: "p7@example.test/x")
            try await wire.settle(online.bot)
            #expect(
                Set(wire.messages.compactMap { $0["to"] })
                    == Set(people.map { $0 + "/x" }).subtracting(["p3@example.test/x"]))
        }
    }

    @Test("an archive that refuses, or gives nonsense, has everything sent again", arguments: ["error", "result"])
    func refused(type: String) async throws {
        try await uncertain { online, wire, _ in
            let question = try await wire.archiveQuestion()
            wire.connection.send("<iq type='\(type)' id='\(question.iq["id"] ?? "")'/>")
            try await wire.expect(body: "pong")
        }
    }

    @Test("a connection that breaks in the middle: the next one asks once more, and the reply goes out once")
    func broken() async throws {
        try await uncertain { online, wire, ids in
            _ = try await wire.archiveQuestion()
            online.say("!echo two", id: "b", over: wire)
            try await wire.settle()
            wire.connection.drop()
            let third = try await online.reconnected(discovery: .archive)
            let question = try await third.archiveQuestion()
            third.archived("a1", of: question, age: 2, reply(ids["alice@example.test"] ?? "", to: "alice@example.test"))
            third.endPage(question, last: "a1", complete: true)
            try await third.expect(body: "two")
            try await third.settle(online.bot)
            #expect(third.messages.count == 1)
        }
    }

    @Test("a stop in the middle says nothing behind the end of the stream, and the next run settles it")
    func stopped() async throws {
        try await uncertain { online, wire, _ in
            _ = try await wire.archiveQuestion()
            #expect(try await online.stop(over: wire) == .success)
            #expect(wire.messages == [])
            #expect(try online.bot.rows().map(\.state) == [.handled, .queued])
        }
    }

    @Test("what is given up meanwhile is not sent")
    func dropped() async throws {
        try await uncertain { online, wire, _ in
            let question = try await wire.archiveQuestion()
            _ = try await online.bot.ask { house in
                _ = try? house.desk.changeOutbox(
                    .drop, .number(2), OutboxFilter(since: Timestamp(milliseconds: 0)), by: "a test", at: house.moment)
            }
            wire.endPage(question, last: nil, complete: true)
            try await wire.settle(online.bot)
            #expect(wire.messages == [])
        }
    }

    @Test("a paused bot finds out, and keeps what is to be sent again")
    func paused() async throws {
        try await uncertain { online, wire, _ in
            _ = try await online.bot.ask { house in house.desk.beginPause(by: "a test", at: house.moment) }
            wire.endPage(try await wire.archiveQuestion(), last: nil, complete: true)
            try await wire.settle()
            #expect(!wire.messages.contains { $0.body == "pong" })
            _ = try await online.bot.ask { house in house.desk.endPause(by: "a test", at: house.moment) }
            try await wire.expect(body: "pong")
            try await wire.settle(online.bot)
            #expect(wire.messages.count { $0.body == "pong" } == 1)
        }
    }
}
