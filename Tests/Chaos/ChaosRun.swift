import BellhopTransport
import EndToEndSupport
import FoundationEssentials

/// One run: people talk to the bot, and the bot, its line and its server are struck as the schedule says.
struct ChaosRun: Sendable {
    let options: ChaosOptions
    let schedule: Schedule
    let server: RealServer
    let bot: TestBot
    /// Between the bot and the server.
    let relay: Relay
    /// Between the people and the server.
    let crowd: Relay
    let keeper: BotKeeper
    let people: [ManagedPerson]
    let gate = ServerGate()
    let census = Census()

    /// Prepares everything, runs it and returns what is known at the end.
    static func perform(_ options: ChaosOptions, note: @escaping @Sendable (String) -> Void) async throws -> Evidence {
        try await RealServer.running(options.server) { server in
            try await Relay.running(to: server) { relay in
                try await Relay.running(to: server) { crowd in
                    // No message is too old, no handler too slow, however slow the machine; nobody is taken for a machine.
                    let rules = #""commands": {"maxAge": "10d", "timeout": "1h", "loopBrake": false}"#
                    let settings = TestBot.Settings(members: [rules], port: relay.port)
                    return try await TestBot.registered(.fixturebot, at: server, settings) { bot in
                        let run = try ChaosRun(
                            options: options, schedule: Schedule(options), server: server, bot: bot, relay: relay,
                            crowd: crowd, keeper: BotKeeper(bot),
                            people: (0..<Schedule.people).map { try ManagedPerson($0) })
                        return try await run.perform(note)
                    }
                }
            }
        }
    }

    private func perform(_ note: @Sendable (String) -> Void) async throws -> Evidence {
        defer { for person in people { person.leave() } }
        do {
            try keeper.start()
            var server = server
            server.port = crowd.port
            for person in people { try person.live(at: server, talkingTo: bot.jid, gate: gate, census: census) }
            try await comeOnline()
            note("20 people are online")
            var conversation = Conversation(self)
            try await conversation.run(note)
            let unsettled = try await settle(note)
            await keeper.stop()
            let unread = try await reviewArchives()
            let archive = try await ServerArchive.read(of: bot, at: server)
            let evidence = try await evidence(archive, unsettled: unsettled ?? unread)
            if let folder = options.keep { try Keepsake.write(self, archive, to: folder) }
            return evidence
        } catch {
            await keeper.kill()
            throw error
        }
    }

    private func comeOnline() async throws {
        let begun = MonotonicClock.now()
        while census.look({ $0.online.count }) < people.count {
            guard MonotonicClock.now() - begun < .seconds(300) else {
                throw ChaosFault(words: "not all people could log in: \(census.facts.troubles)")
            }
            try await Task.sleep(for: .milliseconds(10))  // waits for a fact: everybody is online
        }
    }

    // MARK: The end

    /// Waits until the people have been told what became of everything; else why it is not waited for any longer.
    private func settle(_ note: @Sendable (String) -> Void) async throws -> String? {
        var changed = (progress: -1, open: "", at: MonotonicClock.now())
        while true {
            let open = try Settlement(facts: census.facts, rows: bot.rows()).open
            guard !open.isEmpty else { return nil }
            let progress = census.progress
            if progress != changed.progress || open != changed.open {
                changed = (progress, open, MonotonicClock.now())
            }
            // Between two attempts to connect lie up to five minutes.
            let patience: Duration = keeper.isOnline ? .seconds(60) : .seconds(360)
            if MonotonicClock.now() - changed.at > patience {
                return "nothing has happened for \(patience.components.seconds) s, and \(open)"
            }
            try await keeper.lookAfter()
            try await Task.sleep(for: .milliseconds(100))  // waits for a fact: all is at its end
        }
    }

    /// Lets everybody look for what they missed; else why that did not come to an end.
    private func reviewArchives() async throws -> String? {
        for person in people { person.reviewArchive() }
        let begun = MonotonicClock.now()
        while census.look({ $0.reviewed.count }) < people.count {
            guard MonotonicClock.now() - begun < .seconds(120) else {
                return "not all people could read their archives"
            }
            try await Task.sleep(for: .milliseconds(10))  // waits for a fact: every archive is read
        }
        return nil
    }

    private func evidence(_ archive: ServerArchive, unsettled: String?) async throws -> Evidence {
        for log in keeper.logs { _ = try await log.everything() }
        let effects = (try? String(contentsOfFile: "\(bot.directory)/effects", encoding: .utf8)) ?? ""
        return Evidence(
            messages: schedule.messages, facts: census.facts, rows: try bot.rows(),
            people: people.map { "\($0.name)@\(server.domain)" }, serverDeaths: options.serverDeaths,
            archive: archive,
            effects: effects.split(separator: "\n").map(String.init), wire: WireLog(keeper.logs.map(\.lines)),
            integrity: try bot.integrity() ?? "no answer", endings: keeper.endings, unsettled: unsettled)
    }
}

/// A run that could not be done, with the reason.
struct ChaosFault: Error, CustomStringConvertible {
    var words: String

    var description: String { words }
}
