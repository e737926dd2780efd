import BellhopSQLite
import Glibc
import Synchronization
import Testing

@Suite("Commands beside a running bot and without one", .timeLimit(.minutes(3)))
struct ErrandTests {
    /// A bot and an acquaintance of it, on a server of their own.
    private func withBots(
        _ kind: RealServer.Kind = .prosody, settings: String = "",
        _ body: (_ bot: BotAccount, _ other: BotAccount) async throws -> Void
    ) async throws {
        try await RealServer.running(kind) { server in
            try await TemporaryDirectory.with { folder in
                let bot = try await BotAccount("bot", on: server, in: folder, settings: settings)
                let other = try await BotAccount("other", on: server, in: folder)
                try await body(bot, other)
            }
        }
    }

    /// The bodies in a journal that went out or came in, and whether each failed.
    private func bodies(_ account: BotAccount, outgoing: Bool) throws -> [String] {
        let connection = try Connection(account.journal, .read)
        let rows = try connection.prepare("SELECT body, state = 9 FROM messages WHERE direction = ? ORDER BY seq")
        rows.bind(outgoing ? 1 : 0, at: 1)
        var found: [String] = []
        while try rows.step() { found.append((rows.text(0) ?? "") + (rows.integer(1) == 1 ? " (failed)" : "")) }
        return found
    }

    @Test("send works without a bot and beside one, and the journal has both", arguments: RealServer.Kind.allCases)
    func sends(kind: RealServer.Kind) async throws {
        try await withBots(kind) { bot, other in
            let quiet = CompletedRun(end: .exited(0), output: "", errors: "")
            #expect(try await bot.command("send", other.jid, "alone") == quiet)
            #expect(try await bot.command("send", other.jid, input: "piped\n") == quiet)
            try await bot.running { _ in
                let run = try await bot.command("send", other.jid, "beside", "the", "bot")
                #expect(run == quiet)
            }
            let sent = ["alone", "piped", "beside the bot"]
            #expect(try bodies(bot, outgoing: true) == sent)
            // The server kept them; each that arrives is echoed.
            let echoes = Mutex(0)
            try await other.running("-v") { process in
                _ = try await process.errors.line { line in
                    guard line.contains("A message was sent.") else { return false }
                    return echoes.withLock { count in
                        count += 1
                        return count == sent.count
                    }
                }
            }
            #expect(try bodies(other, outgoing: false) == sent)
        }
    }

    @Test("a message to nobody comes back with its reason and 69", arguments: RealServer.Kind.allCases)
    func bounces(kind: RealServer.Kind) async throws {
        try await withBots(kind) { bot, _ in
            let nobody = "nobody@\(bot.server.domain)"
            func isBounced(_ run: CompletedRun) -> Bool {
                run.end == .exited(69) && run.output.isEmpty
                    && run.errors.hasPrefix("echobot: The message came back: service-unavailable")
            }
            #expect(isBounced(try await bot.command("send", nobody, "alone")))
            try await bot.running { _ in
                let run = try await bot.command("send", nobody, "beside")
                #expect(isBounced(run))
            }
            #expect(try bodies(bot, outgoing: true) == ["alone (failed)", "beside (failed)"])
        }
    }

    @Test("a request is listed and accepted beside the bot, once, and its person can see it then")
    func requests() async throws {
        try await withBots { bot, other in
            try await bot.running { process in
                #expect(try await other.command("roster", "add", bot.jid).end == .exited(0))
                _ = try await process.errors.line(containing: "requests accept \(other.jid)")
                let list = try await bot.command("requests")
                #expect(list.output.contains("1       \(other.jid)"))
                #expect(
                    try await bot.command("requests", "accept", other.jid).output
                        == "Request 1 (\(other.jid)) accepted.\n")
                let again = try await bot.command("requests", "deny", "1")
                #expect(again.end == .exited(69))
                #expect(again.errors == "echobot: Request 1 was already accepted by the command line.\n")
                #expect(try await bot.command("requests").output == "No request is waiting.\n")
                let roster = try await bot.command("roster")
                #expect(roster.errors.isEmpty)
                #expect(roster.output.contains("\(other.jid)  from"))
            }
            let roster = try await other.command("roster", "--json")
            #expect(roster.output.contains("\"jid\":\"\(bot.jid)\",\"name\":null,\"state\":\"to\""))
            #expect(roster.output.contains("\"online\":null"))
            #expect(roster.errors.contains("Who is online is not known"))
        }
    }

    @Test("a request that waits in the journal is listed without a login and denied with one")
    func requestsAlone() async throws {
        try await withBots { bot, other in
            try await bot.running { process in
                #expect(try await other.command("roster", "add", bot.jid).end == .exited(0))
                _ = try await process.errors.line(containing: "requests accept \(other.jid)")
            }
            try bot.configure(password: "wrong")
            #expect(try await bot.command("requests", "--json").output.contains("\"jid\":\"\(other.jid)\""))
            #expect(try await bot.command("requests", "deny", "all").end == .exited(77))
            try bot.configure()
            #expect(try await bot.command("requests", "deny", "all").output == "Request 1 (\(other.jid)) denied.\n")
            #expect(try await other.command("roster", "--json").output.contains("\"state\":\"none\",\"ask\":false"))
        }
    }

    @Test("a second bot on the same journal ends with 75 and names the first, whose socket goes with it")
    func second() async throws {
        try await withBots { bot, _ in
            try await bot.running { process in
                let second = try await bot.command("run")
                #expect(second.end == .exited(75))
                #expect(second.errors.contains("(process \(process.processNumber))"))
                #expect(mode(bot.journal + "-control") == 0o600)
                process.signal(SIGTERM)
                #expect(await process.end() == .exited(0))
                #expect(mode(bot.journal + "-control") == nil)
            }
            try await bot.running { process in
                process.signal(SIGKILL)
                _ = await process.end()
                #expect(mode(bot.journal + "-control") != nil)
            }
            try await bot.running { _ in
                let roster = try await bot.command("roster")
                #expect(roster.output == "The roster is empty.\n")
            }
        }
    }

    private func mode(_ path: String) -> mode_t? {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : nil
    }

    @Test("check --online reads its own message back, and says why it cannot", arguments: RealServer.Kind.allCases)
    func check(kind: RealServer.Kind) async throws {
        try await withBots(kind) { bot, _ in
            let good = try await bot.command("check", "--online")
            #expect(good.end == .exited(0))
            #expect(good.output.contains("a message to itself came back in "))
            try await bot.running { process in
                let check = try await bot.command("check", "--online")
                #expect(check.end == .exited(0))
                process.signal(SIGTERM)
                #expect(await process.end() == .exited(0))
                #expect(!process.errors.lines.contains { $0.contains("Not connected") })
            }
            try bot.configure(password: "wrong")
            #expect(try await bot.command("check", "--online").end == .exited(77))
            try bot.configure()
            try await bot.server.stop()
            #expect(try await bot.command("check", "--online").end == .exited(69))
            #expect(try await bot.command("send", bot.jid, "hello").end == .exited(69))
        }
    }

    @Test("a dry run decides for each address and changes nothing")
    func dryRun() async throws {
        try await withBots(
            settings: "\"subscriptions\": {\"rules\": [{\"match\": \"*.example\", \"action\": \"accept\"}]}"
        ) {
            bot, _ in
            let run = try await bot.command(
                "requests", "--dry-run", "-", input: "a@good.example\nb c\nb@elsewhere.net\n")
            #expect(run.output == "a@good.example\taccept\tsubscriptions.rules[0]\nb@elsewhere.net\task\tdefault\n")
            #expect(run.end == .exited(74))
            #expect(run.errors.contains("standard input:2: \"b c\" is no address"))
            #expect(mode(bot.journal) == nil)
        }
    }
}
