import BellhopBot
import BellhopJournal
import BellhopXML
import BellhopXMPP
import Synchronization
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Roles, questions and the audit over the wire")
struct AccessTests {
    private static let gina = "gina@else.example/x"

    private static func bot(_ runs: Runs) -> Bot {
        Bot {
            Command("restart", "Restart a unit", Rest("unit")) { _, unit in
                runs.note(unit)
                return "restarted \(unit)"
            }.allow(.ops).confirmed()
            Command("uptime", "How long") { _ in "up" }.allow(.ops).inline()
            Command("ping", "Answers pong") { _ in "pong" }.open().inline()
        }
    }

    private final class Runs: Sendable {
        private let all = Mutex<[String]>([])
        var list: [String] { all.withLock { $0 } }
        func note(_ run: String) { all.withLock { $0.append(run) } }
    }

    private static func configure(_ configuration: inout Configuration) {
        configuration.roles = [RoleDefinition(.ops, [.group("Operators")])]
    }

    private func audit(_ configuration: Configuration) throws -> [String] {
        try JournalReader(path: configuration.journal.path).audited(last: 100).map { record in
            "\(record.jid) \(record.typed): \(record.outcome), \(record.rule)"
        }
    }

    private static func push(_ item: String, from: String? = nil) -> String {
        "<iq type='set' id='push'\(from.map { " from='\($0)'" } ?? "")><query xmlns='jabber:iq:roster'>\(item)</query></iq>"
    }

    @Test("a group of the roster grants what our own server says, and a push of anybody else nothing")
    func group() async throws {
        let item = "<item jid='gina@else.example' subscription='both'><group>Operators</group></item>"
        try await OnlineBot.running(bot: Self.bot(Runs()), configure: Self.configure) { online in
            let wire = online.wire
            wire.connection.send(Self.push(item, from: Self.gina))
            online.say("uptime", from: Self.gina)
            try await wire.expect(body: "Sorry, you may not do that here.", to: Self.gina)
            wire.connection.send(Self.push(item))
            online.say("uptime", from: Self.gina)
            try await wire.expect(body: "up", to: Self.gina)
            wire.connection.send(Self.push(item.replacing("Operators", with: "Friends")))
            online.say("whoami", from: Self.gina)
            try await wire.expect(body: "You are gina@else.example, and have no role here.", to: Self.gina)
            #expect(try await online.stop() == .success)
            #expect(
                try audit(online.bot.configuration) == [
                    "gina@else.example uptime: denied, declared in the bot's code",
                    "gina@else.example uptime: answered, roles.ops[0]",
                ])
        }
    }

    @Test("a question keeps nobody waiting, runs on yes, and is gone after a restart")
    func question() async throws {
        let runs = Runs()
        let admin = "admin@example.test/desk"
        let asked = "restart nginx: really? Answer yes within 60 s."
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                Self.configure(&configuration)
                try await OnlineBot.running(configuration, server, bot: Self.bot(runs)) { online in
                    online.say("restart nginx", from: admin)
                    try await online.wire.expect(body: asked, to: admin)
                    online.say("ping", from: "bob@example.test/y")
                    try await online.wire.expect(body: "pong")
                    #expect(try online.bot.rows().first?.state == .received)
                    online.say("yes", from: "admin@example.test/phone")
                    try await online.wire.expect(body: "restarted nginx", to: "admin@example.test/phone")
                    online.say("restart sshd", from: admin)
                    try await online.wire.expect(body: "restart sshd: really? Answer yes within 60 s.", to: admin)
                    #expect(try await online.stop() == .success)
                }
                try await OnlineBot.running(configuration, server, bot: Self.bot(runs)) { online in
                    try await online.wire.expect("a word about the restart") {
                        $0.body?.hasPrefix("I was restarted while \u{201C}restart sshd\u{201D} waited for a yes")
                            == true
                    }
                    online.say("yes", from: admin)
                    try await online.wire.expect(body: "I don't know yes. !help lists what I can do.", to: admin)
                    #expect(try await online.stop() == .success)
                    let ids = try online.bot.rows().filter { $0.direction == .outgoing }.compactMap(\.id)
                    #expect(Set(ids).count == ids.count)
                    let row = try #require(try online.bot.rows().first { $0.body == "restart sshd" })
                    #expect(row.state == .declined)
                    #expect(row.reason == "restart")
                }
                #expect(runs.list == ["nginx"])
                #expect(
                    try audit(configuration) == [
                        "admin@example.test restart nginx: answered, admins[0]",
                        "admin@example.test restart sshd: cancelled, admins[0]",
                    ])
            }
        }
    }
}
