import BellhopBot
import BellhopClient
import BellhopDiagnostics
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Reading the configuration again over the wire")
struct ReloadTests {
    private static let closed = "Sorry, you may not do that here."

    private func online(
        _ style: StandardBot.Style = .tasks, rest: String = "", level: LogLevel? = nil,
        _ script: (OnlineBot, ConfigurationFile) async throws -> Void
    ) async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                let file = try ConfigurationFile(server, folder: folder, rest: rest)
                let source = try file.source(level: level)
                try await OnlineBot.running(
                    source.loaded.configuration, server, style, change: { $0.source = source }
                ) { online in try await script(online, file) }
            }
        }
    }

    /// Reloads, and waits until that has come to its end.
    private func reload(_ online: OnlineBot) async throws -> ReloadOutcome {
        let outcomes = Mailbox<ReloadOutcome> { "\($0)" }
        _ = try await online.bot.ask { house in house.reload { outcomes.post($0) } }
        return try await outcomes.take("the end of the reload", patience: .seconds(30)) { $0 }
    }

    @Test("admins, prefix and presence hold at once, keys of the account are named for the next start")
    func applied() async throws {
        try await online { online, file in
            online.say("!deploy a")
            try await online.wire.expect(body: Self.closed)
            file.write(
                """
                , "admins": ["alice@example.test"], "commands": {"prefix": "."},
                "presence": {"show": "dnd", "status": "busy"}
                """)
            guard case .done(let changes) = try await reload(online) else {
                Issue.record("the reload was refused")
                return
            }
            #expect(changes.applied == ["admins", "presence.show", "presence.status", "commands.prefix"])
            #expect(changes.postponed == [])
            let line = try await online.bot.sink.expect("reload")
            #expect(line.fields.map(\.value) == ["admins, presence.show, presence.status, commands.prefix"])
            try await online.wire.expect("a presence") {
                $0.name == "presence" && $0.child("show", "jabber:client")?.text == "dnd"
            }
            online.say(".deploy b")
            try await online.wire.expect(body: "deployed b")
            #expect(online.server.connectionCount == 1)
        }
    }

    @Test(
        "a wrong file changes nothing, and every problem is logged",
        arguments: [
            ("{", 1), ("", 1), ("{\"account\": {}, \"admin\": []}", 4),
            ("{\"account\": {\"jid\": \"b@x\", \"password\": \"y\"}, \"commands\": {\"timeout\": \"soon\"}}", 2),
        ])
    func wrong(text: String, problems: Int) async throws {
        try await online(rest: ", \"admins\": [\"alice@example.test\"]") { online, file in
            file.write(wrong: text)
            guard case .refused(let lines) = try await reload(online) else {
                Issue.record("the reload was not refused")
                return
            }
            #expect(lines.count == problems)
            for line in lines { #expect(try await online.bot.sink.expect("reload").message == line) }
            #expect(
                try await online.bot.sink.expect("reload").message
                    == "The configuration is wrong and was not applied; the bot goes on with the one that it has")
            online.say("!deploy a")
            try await online.wire.expect(body: "deployed a")
        }
    }

    @Test(
        "messages that flow while the configuration is read again are all answered once, in order",
        arguments: StandardBot.Style.allCases)
    func flowing(style: StandardBot.Style) async throws {
        try await online(style) { online, file in
            let count = 300
            for number in 0..<count {
                online.say("!echo \(number)", id: "m\(number)")
                guard number % 50 == 25 else { continue }
                // Every second time a wrong one.
                if number % 100 == 25 {
                    file.write(
                        ", \"commands\": {\"timeout\": \"\(30 + number)s\"}, \"presence\": {\"status\": \"\(number)\"}")
                } else {
                    file.write(wrong: "{\"commands\": \(number)}")
                }
                _ = try await reload(online)
            }
            try await online.wire.settle(online.bot)
            #expect(online.wire.messages.compactMap(\.body) == (0..<count).map { "\($0)" })
            #expect(try online.bot.rows().count == 2 * count)
        }
    }

    @Test("what runs while the configuration is read again comes to its end")
    func running() async throws {
        try await online { online, file in
            online.say("!slow 3")
            online.say("!echo behind")
            try await online.wire.settle()
            file.write(", \"subscriptions\": {\"default\": \"accept\"}")
            _ = try await reload(online)
            online.bot.standard.clock.advance(by: .seconds(3))
            try await online.wire.expect(body: "done 3")
            try await online.wire.expect(body: "behind")
            online.wire.connection.send("<presence type='subscribe' from='new@example.test'/>")
            try await online.wire.expect("an approval") { $0["type"] == "subscribed" && $0["to"] == "new@example.test" }
        }
    }

    @Test("keys of the account and the journal do not change under a running bot, and are named until it starts again")
    func postponed() async throws {
        try await online { online, file in
            for _ in 0..<2 {
                file.write(", \"diagnostics\": {\"format\": \"json\"}")
                guard case .done(let changes) = try await reload(online) else {
                    Issue.record("the reload was refused")
                    return
                }
                #expect(changes.postponed == ["diagnostics.format"])
            }
        }
    }

    @Test("the level of the log changes, unless the command line has chosen it")
    func level() async throws {
        for chosen in [nil, LogLevel.debug] {
            try await online(level: chosen) { online, file in
                file.write(", \"diagnostics\": {\"level\": \"error\"}")
                _ = try await reload(online)
                #expect(try await online.bot.ask { $0.log.level } == chosen ?? .error)
                #expect(try await online.bot.ask { $0.loop.log.level } == chosen ?? .error)
            }
        }
    }

    @Test("who asks while the file is being read hears of a reading that began later")
    func again() async throws {
        try await online { online, file in
            let outcomes = Mailbox<Int> { "answer \($0)" }
            let before = file.readingCount
            _ = try await online.bot.ask { house in
                for number in 1...3 { house.reload { _ in outcomes.post(number) } }
            }
            for number in 1...3 {
                try await outcomes.take("answer \(number)", patience: .seconds(30)) { $0 == number ? () : nil }
            }
            #expect(file.readingCount - before == 2)
        }
    }

    @Test("an admin has it read again in the chat, and hears what came of it; presence waits for the end of a pause")
    func inTheChat() async throws {
        let admin = "admin@example.test/desk"
        try await online(rest: ", \"admins\": [\"admin@example.test\"]") { online, file in
            online.say("pause", from: admin)
            try await online.wire.expect("dnd") { $0.child("status", "jabber:client")?.text == "Paused" }
            file.write(", \"admins\": [\"admin@example.test\"], \"presence\": {\"status\": \"new\"}")
            online.say("reload", from: admin)
            try await online.wire.expect(body: "The configuration was read again. Changed: presence.status.")
            online.say("presence", from: admin)
            try await online.wire.expect(
                body: "I am paused, and contacts see dnd: Paused. When I am resumed they see available: new")
            online.say("resume", from: admin)
            try await online.wire.expect("new") { $0.child("status", "jabber:client")?.text == "new" }
            file.write(wrong: "{")
            online.say("reload", from: admin)
            try await online.wire.expect("what is wrong") {
                $0.body?.hasPrefix(
                    "The configuration is wrong and was not applied; the bot goes on with the one that it has:\n")
                    == true
            }
        }
    }

    @Test("a program without a configuration says so")
    func nothing() async throws {
        try await OnlineBot.running { online in
            let outcome = try await reload(online)
            #expect(outcome == .refused(["This program has no configuration that it could read again"]))
        }
    }
}
