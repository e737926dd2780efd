import BellhopBot
import BellhopJournal
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Replies and the loss of their connection")
struct LostReplyTests {
    /// Messages, and the end of the stream right behind them in the same segment.
    private static func last(_ messages: [String]) -> [UInt8] { Array((messages.joined() + "</stream:stream>").utf8) }

    @Test(
        "the stream ends right behind a message: the reply goes out after the next login, once",
        arguments: [StandardBot.Style.inline, .tasks])
    func streamEnd(style: StandardBot.Style) async throws {
        try await OnlineBot.running(style) { online in
            online.wire.connection.sendBytes([Self.last([OnlineBot.message("!ping", id: "a")])])
            let second = try await online.reconnected()
            try await second.expect(body: "pong", to: "alice@example.test/phone")
            try await second.settle(online.bot)
            #expect(second.messages.count == 1)
            #expect(try await online.stop(over: second) == .success)
            #expect(try online.bot.rows().map(\.state) == [.handled, .sent])
        }
    }

    @Test(
        "several replies to several persons: all of them, in order, once",
        arguments: [StandardBot.Style.inline, .tasks]
    )
    func several(style: StandardBot.Style) async throws {
        try await OnlineBot.running(style) { online in
            let messages = [
                OnlineBot.message("!spam 5", id: "a"),
                OnlineBot.message("!echo x", from: "bob@example.test/y", id: "b"),
                OnlineBot.message("!echo last", id: "c"),
            ]
            online.wire.connection.sendBytes([Self.last(messages)])
            let second = try await online.reconnected()
            try await second.expect(body: "last")
            try await second.settle(online.bot)
            let bodies = Dictionary(grouping: second.messages) { $0["to"] ?? "" }.mapValues { $0.compactMap(\.body) }
            #expect(
                bodies == [
                    "alice@example.test/phone": (0..<5).map { "spam \($0)" } + ["last"], "bob@example.test/y": ["x"],
                ])
            #expect(Set(second.messages.compactMap { $0["id"] }).count == 7)
        }
    }

    @Test("a handler that ends while the bot is offline: its reply waits for the next login")
    func offline() async throws {
        try await OnlineBot.running { online in
            online.say("!slow 5", id: "a")
            online.say("!ping", id: "b")
            try await online.wire.settle()
            online.wire.connection.drop()
            try await online.bot.sink.expect("offline")
            online.bot.standard.clock.advance(by: .seconds(5))
            let second = try await online.reconnected()
            try await second.expect(body: "pong")
            try await second.settle(online.bot)
            #expect(second.messages.compactMap(\.body) == ["done 5", "pong"])
        }
    }

    @Test("the connection breaks twice before a reply is out: it goes out once")
    func twice() async throws {
        try await OnlineBot.running(.inline) { online in
            online.wire.connection.sendBytes([Self.last([OnlineBot.message("!ping", id: "a")])])
            // The second connection is lost in the middle of its login.
            let second = try await online.server.connection()
            _ = try await second.expectStream()
            second.drop()
            let third = try await online.reconnected()
            try await third.expect(body: "pong")
            try await third.settle(online.bot)
            #expect(third.messages.count == 1)
        }
    }

    @Test("the database is locked while the stream ends: the replies go out after the next login, once, and are stored")
    func locked() async throws {
        try await OnlineBot.running(.inline, configure: { $0.diagnostics.notified = [] }) { online in
            let lock = try DatabaseLock(online.bot.configuration.journal.path)
            let messages = (1...3).map { OnlineBot.message("!echo \($0)", id: "m\($0)") }
            online.wire.connection.sendBytes([Self.last(messages)])
            let second = try await online.reconnected()
            try await second.expect(body: "3")
            try await second.settle(online.bot)
            #expect(second.messages.compactMap(\.body) == ["1", "2", "3"])
            lock.release()
            #expect(try await online.stop(over: second) == .success)
            let rows = try online.bot.rows()
            #expect(rows.compactMap(\.body) == (1...3).flatMap { ["!echo \($0)", "\($0)"] })
            #expect(rows.allSatisfy { $0.state == .handled || $0.state == .sent })
        }
    }

    @Test("what went out before a break is not sent again after it")
    func notAgain() async throws {
        try await OnlineBot.running { online in
            online.say("!ping", id: "a")
            try await online.wire.expect(body: "pong")
            try await online.wire.settle(online.bot)
            online.wire.connection.drop()
            let second = try await online.reconnected()
            try await second.settle(online.bot)
            #expect(second.messages == [])
            // The server delivers once more what it had not seen acknowledged.
            online.say("!ping", id: "a", over: second)
            try await second.settle(online.bot)
            #expect(second.messages == [])
            #expect(online.bot.standard.runs.list.count == 1)
        }
    }
}
