import BellhopBot
import BellhopJournal
import BellhopXML
import BellhopXMPP
import Dispatch
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("log fetch")
struct FetchTests {
    /// Asks the running bot on a thread that may be blocked.
    private static func fetch(_ peer: String, _ journal: String) async throws -> ControlClient.Outcome {
        let path = ControlServer.path(journal: journal)
        let account = try JID(BotConfiguration.account)
        let request = ControlRequest.fetch(try JID(peer), since: .seconds(7 * 86_400))
        return await withCheckedContinuation { answer in
            DispatchQueue.global().async {
                answer.resume(returning: ControlClient.ask(request, for: account, at: path))
            }
        }
    }

    private func online(_ script: (OnlineBot) async throws -> Void) async throws {
        try await OnlineBot.running(discovery: .archive) { online in
            try await online.wire.endArchive()
            online.say("!echo one", id: "m1")
            try await online.wire.expect(body: "one")
            try await online.wire.settle(online.bot)
            try await script(online)
        }
    }

    @Test("what the archive has of a person goes into the log, once, and nothing runs; the rest of the bot goes on")
    func fetching() async throws {
        try await online { online in
            for isAgain in [false, true] {
                let journal = online.bot.configuration.journal.path
                async let outcome = Self.fetch("alice@example.test", journal)
                let first = try await online.wire.archiveQuestion()
                #expect(first.form["with"] == "alice@example.test")
                let start = try #require(first.form["start"].flatMap(Timestamp.init))
                #expect(start <= .ago(seconds: 7 * 86_400 - 1) && start > .ago(seconds: 7 * 86_400 + 600))
                online.wire.archived("a1", of: first, age: 86_400, OnlineBot.message("!echo old", id: "o1"))
                online.wire.archived(
                    "a2", of: first, age: 86_390,
                    "<message from='\(BotConfiguration.bound)' to='alice@example.test' type='chat' id='x'><body>said</body></message>"
                )
                online.wire.endPage(first, last: "a2")
                online.say("!ping", from: "bob@example.test/y")
                try await online.wire.expect(body: "pong")
                let rest = try await online.wire.archiveQuestion()
                #expect(rest.page["after"] == "a2")
                online.wire.archived("a3", of: rest, age: 3, OnlineBot.message("!echo one", id: "m1"))
                let reply = try #require(online.bot.rows().first { $0.body == "one" }?.id)
                online.wire.archived(
                    "a4", of: rest, age: 2,
                    "<message from='\(BotConfiguration.bound)' to='alice@example.test/phone' type='chat' id='\(reply)'>"
                        + "<body>one</body></message>")
                online.wire.endPage(rest, last: "a4", complete: true)
                let expected = ControlAnswer.fetched(new: isAgain ? 0 : 2, known: isAgain ? 4 : 2, isWhole: true)
                #expect(try await outcome == .answered(expected))
            }
            #expect(online.bot.standard.runs.list.map(\.arguments) == ["one", "", ""])
            let fetched = try online.bot.rows().filter { $0.reason == "fetched" }
            #expect(fetched.map(\.body) == ["!echo old", "said"])
            #expect(fetched.map(\.direction) == [.incoming, .outgoing])
            #expect(fetched.map(\.kind) == [.chat, .own])
            #expect(fetched.map(\.state) == [.declined, .acknowledged])
            let shown = try JournalReader(path: online.bot.configuration.journal.path).messages(
                with: "alice@example.test", last: 50)
            #expect(shown.map(\.body) == ["!echo old", "said", "!echo one", "one"])
        }
    }

    @Test("what is still to be caught up with is not hidden by it, and runs at its time")
    func ahead() async throws {
        try await online { online in
            online.wire.connection.drop()
            let second = try await online.reconnected(discovery: .archive)
            let catchUp = try await second.archiveQuestion()
            let journal = online.bot.configuration.journal.path
            async let outcome = Self.fetch("alice@example.test", journal)
            let question = try await second.archiveQuestion(with: "alice@example.test")
            let missed = OnlineBot.message("!echo missed", id: "m2")
            second.archived("a9", of: question, age: -5, missed)
            second.endPage(question, last: "a9", complete: true)
            #expect(try await outcome == .answered(.fetched(new: 0, known: 0, isWhole: true)))
            second.archived("a9", of: catchUp, age: -5, missed)
            second.endPage(catchUp, last: "a9", complete: true)
            try await second.expect(body: "missed")
        }
    }

    @Test("no archive, and an archive that refuses, are told apart")
    func failures() async throws {
        try await OnlineBot.running { online in
            let outcome = try await Self.fetch("alice@example.test", online.bot.configuration.journal.path)
            #expect(outcome == .answered(.failed(.noArchive)))
        }
        try await online { online in
            let journal = online.bot.configuration.journal.path
            async let outcome = Self.fetch("alice@example.test", journal)
            let question = try await online.wire.archiveQuestion()
            online.wire.connection.send(
                "<iq type='error' id='\(question.iq["id"] ?? "")'><error type='auth'><forbidden "
                    + "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
            #expect(try await outcome == .answered(.failed(.refused(reason: "forbidden"))))
        }
    }

    @Test("a connection that breaks in the middle is said")
    func broken() async throws {
        try await online { online in
            let journal = online.bot.configuration.journal.path
            async let outcome = Self.fetch("alice@example.test", journal)
            _ = try await online.wire.archiveQuestion()
            online.wire.connection.drop()
            #expect(try await outcome == .answered(.failed(.noAnswer)))
        }
    }
}
