import BellhopSQLite
import BellhopXML
import FoundationEssentials
import Glibc
import Testing

@Suite("What the server's archive is good for", .timeLimit(.minutes(4)))
struct ArchiveTests {
    /// Kills the bot and waits for its end.
    private func kill(_ child: ChildProcess) async {
        child.signal(SIGKILL)
        _ = await child.end()
    }

    @Test(
        "messages that came while the bot was dead are in the log once, and fresh ones ran once",
        arguments: RealServer.Kind.allCases, [false, true])
    func dead(kind: RealServer.Kind, losesStream: Bool) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                try await Person.online("you", at: server) { you in
                    var said: [String] = []
                    for round in 1...3 {
                        try await bot.online { child in
                            try await you.finds(bot)
                            let id = you.say("round \(round)", to: bot.jid)
                            said.append(id)
                            let heard = try await you.message(inThread: id)
                            #expect(heard == "round \(round)")
                            await kill(child)
                        }
                        if losesStream { try bot.forgetStream() }
                        for number in 1...3 { said.append(you.say("while dead \(round).\(number)", to: bot.jid)) }
                    }
                    try await check(bot, you, said, mayComeInTwoParts: kind == .ejabberd && losesStream)
                }
            }
        }
    }

    @Test(
        "messages that the server wrote to a frozen bot, which was killed then, are read from the archive",
        arguments: RealServer.Kind.allCases, [false, true])
    func frozen(kind: RealServer.Kind, losesStream: Bool) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                try await Person.online("you", at: server) { you in
                    var said: [String] = []
                    try await bot.online { child in
                        try await you.finds(bot)
                        said.append(you.say("before", to: bot.jid))
                        let heard = try await you.message(inThread: said[0])
                        #expect(heard == "before")
                        child.signal(SIGSTOP)
                        for number in 1...5 { said.append(you.say("unheard \(number)", to: bot.jid)) }
                        // What the server has done before it answers this, it has done.
                        you.send("<iq type='get' id='done' to='\(server.domain)'><ping xmlns='urn:xmpp:ping'/></iq>")
                        _ = try await you.stanzas.first { $0["id"] == "done" }
                        await kill(child)
                    }
                    if losesStream { try bot.forgetStream() }
                    try await check(bot, you, said, mayComeInTwoParts: kind == .ejabberd && losesStream)
                }
            }
        }
    }

    /// A last run of the bot answers everything that is left; afterwards each message is one row, and was answered once, and
    /// those that were missed stand in the order in which they were said.
    ///
    /// ejabberd sends what a replaced session left unacknowledged once more, message by message, while the new one says its
    /// presence: what it sends before that goes to its offline storage, so that the archive is the first to bring it, and
    /// the rest is delivered. Each of the two parts is in order then.
    private func check(_ bot: TestBot, _ you: Person, _ said: [String], mayComeInTwoParts: Bool) async throws {
        try await bot.online { child in
            try await you.finds(bot)
            for id in said { _ = try await you.message(inThread: id) }
            let last = you.say("the last one", to: bot.jid)
            let heard = try await you.message(inThread: last)
            #expect(heard == "the last one")
            child.signal(SIGTERM)
            #expect(await child.end() == .exited(0))
        }
        let rows = try bot.rows()
        let incoming = rows.filter { $0.direction == "in" }
        // A live message does not wait for what is still being read.
        let missed = said.filter { id in rows.contains { $0.id == id && $0.body?.hasPrefix("round") == false } }
        let logged = incoming.compactMap(\.id).filter(missed.contains)
        #expect(logged.sorted() == missed.sorted())
        let places = logged.compactMap { missed.firstIndex(of: $0) }
        #expect(isInOrder(places, parts: mayComeInTwoParts ? 2 : 1), "\(incoming)")
        #expect(Set(incoming.compactMap(\.id)).isSuperset(of: said))
        #expect(incoming.count == said.count + 1)
        for row in incoming {
            #expect(row.state == "handled", "\(row)")
            #expect(rows.filter { $0.answers == row.sequence }.count == 1, "\(row)")
        }
        let answers = you.stanzas.items.filter { $0.name == "message" && $0["type"] == "chat" && $0.body != nil }
        for id in said { #expect(Set(answers.filter { $0.thread == id }.map { $0["id"] }).count == 1, "\(id)") }
        #expect(try bot.integrity() == "ok")
    }

    /// Whether the numbers are so many rising sequences, pushed into one another.
    private func isInOrder(_ numbers: [Int], parts: Int) -> Bool {
        var ends = Array(repeating: -1, count: parts)
        for number in numbers {
            guard let part = ends.indices.filter({ ends[$0] < number }).max(by: { ends[$0] < ends[$1] }) else {
                return false
            }
            ends[part] = number
        }
        return true
    }

    @Test(
        "an answer that was on the wire when the bot was killed is found in the archive and not sent again",
        arguments: RealServer.Kind.allCases)
    func settled(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                try await Person.online("you", at: server) { you in
                    try await bot.online { child in
                        try await you.finds(bot)
                        for number in 1...3 {
                            let id = you.say("message \(number)", to: bot.jid)
                            let heard = try await you.message(inThread: id)
                            #expect(heard == "message \(number)")
                        }
                        // That they have left is stored within a second only.
                        await kill(child)
                    }
                    try bot.forgetStream()
                    let uncertain = try bot.rows().filter { $0.direction == "out" && $0.state == "queued" }
                    try await bot.online(["-v"]) { child in
                        try await you.finds(bot)
                        let last = you.say("the last one", to: bot.jid)
                        let heard = try await you.message(inThread: last)
                        #expect(heard == "the last one")
                        child.signal(SIGTERM)
                        #expect(await child.end() == .exited(0))
                        if !uncertain.isEmpty {
                            #expect(child.errors.lines.contains { $0.contains("settled: ") && $0.contains("again=0") })
                        }
                    }
                    let answers = you.stanzas.items.filter { $0.name == "message" && $0.body != nil }
                    #expect(answers.compactMap(\.body) == ["message 1", "message 2", "message 3", "the last one"])
                    let rows = try bot.rows()
                    for row in uncertain {
                        #expect(rows.first { $0.sequence == row.sequence }?.state == "acknowledged")
                    }
                }
            }
        }
    }

    @Test("what another device of the account says and gets is in the log", arguments: RealServer.Kind.allCases)
    func carbons(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                try await Person.online("you", at: server) { you in
                    try await bot.online(["-v"]) { child in
                        _ = try await child.errors.line(containing: " carbons: ")
                        try await Person.online(
                            "bot", at: server, resource: "laptop", password: TestBot.password, isRegistered: true,
                            priority: 0
                        ) { laptop in
                            laptop.say("from my laptop", to: you.jid)
                            _ = try await you.message(containing: "from my laptop")
                            you.say("to your laptop", to: laptop.fullJID)
                            _ = try await laptop.message(containing: "to your laptop")
                            try await you.asks("and you?", of: "\(bot.jid)/bellhop", expecting: "and you?")
                        }
                        child.signal(SIGTERM)
                        #expect(await child.end() == .exited(0))
                    }
                    let rows = try bot.rows().filter { $0.body?.contains("laptop") == true }
                    #expect(rows.map(\.direction) == ["out", "in"])
                    #expect(rows.map(\.peer) == [you.jid, you.jid])
                    #expect(rows.map(\.state) == ["acknowledged", "declined"])
                    #expect(you.stanzas.items.count { $0.name == "message" && $0.body != nil } == 2)
                }
            }
        }
    }

    @Test(
        "log fetch fills an empty log from the archive, beside a running bot and without one, and nothing runs",
        arguments: RealServer.Kind.allCases)
    func fetch(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                try await Person.online("you", at: server) { you in
                    try await bot.online { child in
                        try await you.finds(bot)
                        for word in ["one", "two"] {
                            let id = you.say(word, to: bot.jid)
                            let heard = try await you.message(inThread: id)
                            #expect(heard == word)
                        }
                        child.signal(SIGTERM)
                        #expect(await child.end() == .exited(0))
                    }
                    func command(_ words: String...) async throws -> CompletedRun {
                        try await bot.program.run(words + ["--config", bot.configuration])
                    }
                    let again = try await command("log", "fetch", you.jid)
                    #expect(again.output == "0 messages with \(you.jid) new in the log, 4 already there.\n")
                    #expect(again.end == .exited(0), "\(again.errors)")
                    for part in ["", "-wal", "-shm"] {
                        try? FileManager.default.removeItem(atPath: bot.journal + part)
                    }
                    // Of the last minutes nothing is taken that could still have to run.
                    let young = try await command("log", "fetch", you.jid, "--since", "2d", "--json")
                    #expect(young.end == .exited(0), "\(young.errors)")
                    #expect(young.output == #"{"peer":"\#(you.jid)","new":2,"known":0,"whole":true}"# + "\n")
                    try await bot.online { child in
                        let beside = try await command("log", "fetch", you.jid)
                        #expect(beside.output == "2 messages with \(you.jid) new in the log, 2 already there.\n")
                        child.signal(SIGTERM)
                        #expect(await child.end() == .exited(0))
                    }
                    let shown = try await command("log", "show", you.jid, "--json")
                    #expect(shown.output.split(separator: "\n").count == 4)
                    #expect(you.stanzas.items.count { $0.name == "message" && $0.body != nil } == 2)
                }
            }
        }
    }
}

extension TestBot {
    /// Takes the stream that a dead bot would go on with out of its journal.
    fileprivate func forgetStream() throws {
        let connection = try Connection(journal, .write)
        connection.setBusyTimeout(milliseconds: 10_000)
        try connection.execute("DELETE FROM streams")
    }
}
