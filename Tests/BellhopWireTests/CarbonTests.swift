import BellhopBot
import BellhopDiagnostics
import BellhopJournal
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Carbon copies over the wire")
struct CarbonTests {
    private static let mine = BotConfiguration.account

    private static func copy(_ kind: String, _ inner: String) -> String {
        "<message from='\(mine)' to='\(BotConfiguration.bound)' type='chat'><\(kind) xmlns='urn:xmpp:carbons:2'>"
            + "<forwarded xmlns='urn:xmpp:forward:0'>\(inner.replacing("<message ", with: "<message xmlns='jabber:client' "))"
            + "</forwarded></\(kind)></message>"
    }

    @Test("copies are asked for after each login where the server makes them, and only there")
    func enabling() async throws {
        try await OnlineBot.running(discovery: Discovery(server: ["urn:xmpp:carbons:2"])) { online in
            for isSecond in [false, true] {
                var wire = online.wire
                if isSecond {
                    wire.connection.drop()
                    wire = try await online.reconnected(discovery: Discovery(server: ["urn:xmpp:carbons:2"]))
                }
                let request = try await wire.expect("a wish for copies") {
                    $0.child("enable", "urn:xmpp:carbons:2") != nil
                }
                #expect(request["type"] == "set" && request["to"] == nil)
                wire.connection.reply(to: request)
                try await wire.settle(online.bot)
            }
        }
        try await OnlineBot.running { online in
            try await online.wire.settle(online.bot)
            #expect(online.wire.unasked == [])
        }
    }

    @Test("a server that refuses them is named in the log, and the bot goes on")
    func refused() async throws {
        try await OnlineBot.running(discovery: Discovery(server: ["urn:xmpp:carbons:2"])) { online in
            let request = try await online.wire.expect("a wish for copies") {
                $0.child("enable", "urn:xmpp:carbons:2") != nil
            }
            online.wire.connection.send(
                "<iq type='error' id='\(request["id"] ?? "")'><error type='cancel'><not-allowed "
                    + "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
            let line = try await online.bot.sink.expect("carbons")
            #expect(line.fields.contains { $0.name == "reason" && $0.value == "not-allowed" })
            online.say("!ping")
            try await online.wire.expect(body: "pong")
        }
    }

    @Test("both directions are logged under the other side's address, nothing runs and nobody is answered (C121)")
    func logged() async throws {
        try await OnlineBot.running { online in
            let old = OnlineBot.message("!echo old", id: "c0").replacing(
                "</message>",
                with: "<delay xmlns='urn:xmpp:delay' from='bots.example.test' stamp='2001-01-01T00:00:00Z'/></message>")
            for inner in [
                OnlineBot.message("!ping", id: "c1", to: "\(Self.mine)/laptop"),
                OnlineBot.message("!nonsense", id: "c2", to: "\(Self.mine)/laptop"), old,
            ] { online.wire.connection.send(Self.copy("received", inner)) }
            let sent =
                "<message from='\(Self.mine)/laptop' to='bob@example.test/y' type='chat' id='c3'><body>!ping</body></message>"
            for _ in 1...2 { online.wire.connection.send(Self.copy("sent", sent)) }
            try await online.wire.settle(online.bot)
            #expect(online.wire.messages == [])
            #expect(online.bot.standard.runs.list == [])
            #expect(try await online.stop() == .success)
            let rows = try online.bot.rows()
            #expect(rows.map(\.body) == ["!ping", "!nonsense", "!echo old", "!ping"])
            #expect(rows.map(\.kind) == [.carbon, .carbon, .carbon, .carbon])
            #expect(rows.map(\.direction) == [.incoming, .incoming, .incoming, .outgoing])
            #expect(rows.map(\.peer) == Array(repeating: "alice@example.test", count: 3) + ["bob@example.test"])
            #expect(rows.map(\.state) == [.declined, .declined, .declined, .acknowledged])
        }
    }

    @Test("a copy and the archived message are one row, which does not run")
    func archivedToo() async throws {
        try await OnlineBot.running(discovery: .archive) { online in
            try await online.wire.endArchive()
            let message = OnlineBot.message("!echo elsewhere", id: "c1", to: "\(Self.mine)/laptop")
            let stamped = message.replacing(
                "</message>", with: "<stanza-id xmlns='urn:xmpp:sid:0' id='a1' by='\(Self.mine)'/></message>")
            online.wire.connection.send(Self.copy("received", stamped))
            try await online.wire.settle(online.bot)
            online.wire.connection.drop()
            let second = try await online.reconnected(discovery: .archive)
            let question = try await second.archiveQuestion()
            #expect(question.page["after"] == "a1")
            second.archived("a1", of: question, age: 1, message)
            second.endPage(question, last: "a1", complete: true)
            try await second.settle(online.bot)
            #expect(second.messages == [])
            #expect(try online.bot.rows().count == 1)
        }
    }
}
