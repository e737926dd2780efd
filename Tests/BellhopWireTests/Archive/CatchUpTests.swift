import BellhopBot
import BellhopDiagnostics
import BellhopJournal
import BellhopXML
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Catching up from the archive")
struct CatchUpTests {
    private static let mine = BotConfiguration.account

    /// A live message as a server with an archive delivers it.
    private static func live(_ body: String, archiveID: String, id: String, from: String = "alice@example.test/phone")
        -> String
    {
        OnlineBot.message(body, from: from, id: id).replacing(
            "</message>", with: "<stanza-id xmlns='urn:xmpp:sid:0' id='\(archiveID)' by='\(mine)'/></message>")
    }

    /// Cuts the bot's connection, and brings the next up to the question about the archive.
    private func gap(
        _ online: OnlineBot, _ wire: Wire? = nil, discovery: Discovery = .archive
    ) async throws -> Wire {
        (wire ?? online.wire).connection.drop()
        return try await online.reconnected(discovery: discovery)
    }

    /// A bot that has logged in once, has got the message `live-1`, and has the place of it.
    private func settled(
        _ style: StandardBot.Style = .tasks, configure: (inout Configuration) throws -> Void = { _ in },
        _ script: (OnlineBot) async throws -> Void
    ) async throws {
        try await OnlineBot.running(style, discovery: .archive, configure: configure) { online in
            try await online.wire.endArchive()
            online.wire.connection.send(Self.live("!echo one", archiveID: "live-1", id: "m1"))
            try await online.wire.expect(body: "one")
            try await script(online)
        }
    }

    @Test("a first login fetches nothing, and remembers the newest message as the place to go on from")
    func firstLogin() async throws {
        try await OnlineBot.running(discovery: .archive) { online in
            let question = try await online.wire.archiveQuestion()
            #expect(question.page == ["max": "1", "before": ""])
            #expect(question.form == ["FORM_TYPE": "urn:xmpp:mam:2"])
            #expect(question.iq["to"] == nil)
            online.wire.archived("old-7", of: question, age: 30, OnlineBot.message("!echo old", id: "o7"))
            online.wire.endPage(question, last: "old-7")
            try await online.wire.settle(online.bot)
            #expect(online.wire.messages == [])
            let second = try await gap(online)
            #expect(try await second.archiveQuestion().page == ["max": "50", "after": "old-7"])
            #expect(try online.bot.rows() == [])
        }
    }

    @Test(
        "after a gap it reads behind the last message that it knows: all is logged in its order, what is fresh runs once",
        arguments: [StandardBot.Style.inline, .tasks])
    func gap(style: StandardBot.Style) async throws {
        try await settled(style) { online in
            let second = try await gap(online)
            let first = try await second.archiveQuestion()
            #expect(first.page == ["max": "50", "after": "live-1"])
            second.archived("a2", of: first, age: 4_000, OnlineBot.message("!echo late", id: "m2"), from: Self.mine)
            second.archived("a3", of: first, age: 3_999, OnlineBot.message("!echo later", id: "m3"))
            second.endPage(first, last: "a3")
            let rest = try await second.archiveQuestion()
            #expect(rest.page == ["max": "50", "after": "a3"])
            second.archived(
                "a4", of: rest, age: 60,
                "<message from='\(Self.mine)/laptop' to='bob@example.test' type='chat' id='l1'><body>mine</body></message>"
            )
            second.archived(
                "a5", of: rest, age: 5, OnlineBot.message("!echo fresh", from: "bob@example.test/y", id: "m5"))
            second.endPage(rest, last: "a5", complete: true)
            try await second.expect(body: "fresh", to: "bob@example.test/y")
            // A copy of what was read comes out of the offline storage, too.
            second.connection.send(Self.live("!echo fresh", archiveID: "a5", id: "m5", from: "bob@example.test/y"))
            second.connection.send(OnlineBot.message("!echo later", id: "m3"))
            try await second.settle(online.bot)
            #expect(online.bot.standard.runs.list.map(\.arguments) == ["one", "fresh"])
            let told = second.messages.filter { $0["to"] == "alice@example.test/phone" }
            #expect(told.count == 1, "one line for all that came late")
            #expect(try await online.stop(over: second) == .success)
            let rows = try online.bot.rows().filter { $0.answers == nil }
            #expect(rows.map(\.body) == ["!echo one", "!echo late", "!echo later", "mine", "!echo fresh"])
            #expect(rows.map(\.kind) == [.chat, .stale, .stale, .own, .chat])
            #expect(rows.map(\.archiveID) == ["live-1", "a2", "a3", "a4", "a5"])
            #expect(rows[3].direction == .outgoing && rows[3].peer == "bob@example.test")
            #expect(rows[3].state == .acknowledged)
        }
    }

    @Test("a live message before its archived copy is one row and runs once; what the gap hides is read all the same")
    func liveMeanwhile() async throws {
        try await settled { online in
            let second = try await gap(online)
            let question = try await second.archiveQuestion()
            second.connection.send(Self.live("!echo three", archiveID: "a3", id: "m3"))
            try await second.expect(body: "three")
            second.archived("a2", of: question, age: 10, OnlineBot.message("!echo two", id: "m2"))
            second.connection.send(Self.live("!echo four", archiveID: "a4", id: "m4"))
            second.archived("a3", of: question, age: 5, OnlineBot.message("!echo three", id: "m3"))
            second.endPage(question, last: "a3", complete: true)
            try await second.expect(body: "two")
            try await second.settle(online.bot)
            #expect(online.bot.standard.runs.list.map(\.arguments).sorted() == ["four", "one", "three", "two"])
            // What is finished is gone on with behind the newest.
            let third = try await gap(online, second)
            _ = try await third.archiveQuestion()
        }
    }

    @Test("a reading that is cut goes on where it stopped, although newer messages came meanwhile")
    func cut() async throws {
        try await settled { online in
            let second = try await gap(online)
            let question = try await second.archiveQuestion()
            second.archived("a2", of: question, age: 10, OnlineBot.message("!echo two", id: "m2"))
            second.endPage(question, last: "a2")
            let next = try await second.archiveQuestion()
            second.archived("a3", of: next, age: 9, OnlineBot.message("!echo three", id: "m3"))
            second.connection.send(Self.live("!echo nine", archiveID: "a9", id: "m9"))
            try await second.expect(body: "nine")
            second.connection.drop()
            let third = try await online.reconnected(discovery: .archive)
            let again = try await third.archiveQuestion()
            #expect(again.page["after"] == "a2")
            third.archived("a3", of: again, age: 9, OnlineBot.message("!echo three", id: "m3"))
            third.archived("a9", of: again, age: 8, OnlineBot.message("!echo nine", id: "m9"))
            third.endPage(again, last: "a9", complete: true)
            try await third.expect(body: "three")
            try await third.settle(online.bot)
            #expect(online.bot.standard.runs.list.map(\.arguments) == ["one", "two", "nine", "three"])
        }
    }

    @Test("so does one that a kill ends: the page that is in the journal is not asked for again")
    func killed() async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                let configuration = try BotConfiguration.standard(server, folder: folder)
                try await OnlineBot.running(configuration, server, discovery: .archive) { online in
                    try await online.wire.endArchive()
                    online.wire.connection.send(Self.live("!echo one", archiveID: "live-1", id: "m1"))
                    try await online.wire.expect(body: "one")
                    online.bot.stop()
                    online.bot.stop()
                    _ = try await online.bot.ending()
                }
                try await OnlineBot.running(configuration, server, discovery: .archive) { online in
                    let question = try await online.wire.archiveQuestion()
                    #expect(question.page["after"] == "live-1")
                    online.wire.archived("a2", of: question, age: 10, OnlineBot.message("!echo two", id: "m2"))
                    online.wire.endPage(question, last: "a2")
                    try await online.wire.expect(body: "two")
                    online.bot.stop()
                    online.bot.stop()
                    _ = try await online.bot.ending()
                }
                try await OnlineBot.running(configuration, server, discovery: .archive) { online in
                    let question = try await online.wire.archiveQuestion()
                    #expect(question.page["after"] == "a2")
                    // The server is not sure any more, and begins earlier.
                    online.wire.archived("a2", of: question, age: 10, OnlineBot.message("!echo two", id: "m2"))
                    online.wire.endPage(question, last: "a2", complete: true)
                    try await online.wire.settle(online.bot)
                    #expect(online.bot.standard.runs.list == [])
                    #expect(try online.bot.rows().count { $0.direction == .incoming } == 2)
                }
            }
        }
    }

    @Test("where the server has forgotten the place, it is read from a minute before it")
    func forgotten() async throws {
        try await settled { online in
            let second = try await gap(online)
            let question = try await second.archiveQuestion()
            second.connection.send(
                "<iq type='error' id='\(question.iq["id"] ?? "")'><error type='cancel'><item-not-found "
                    + "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
            let again = try await second.archiveQuestion()
            let start = try #require(again.form["start"].flatMap(Timestamp.init))
            #expect(start <= .ago(seconds: 60) && start > .ago(seconds: 3_600))
            #expect(again.page == ["max": "50"])
            second.archived("b1", of: again, age: 20, OnlineBot.message("!echo one", id: "m1"))
            second.archived("b2", of: again, age: 10, OnlineBot.message("!echo two", id: "m2"))
            second.endPage(again, last: "b2", complete: true)
            try await second.expect(body: "two")
        }
    }

    @Test("results of others, of other questions, and before any question, are nothing (C151)")
    func forged() async throws {
        try await settled { online in
            let second = try await gap(online)
            let question = try await second.archiveQuestion()
            let text = OnlineBot.message("!echo forged", from: "admin@example.test/x", id: "f")
            for sender in ["mallory@evil.example/x", "\(Self.mine)/other", "bots.example.test", "alice@example.test"] {
                second.archived("f-\(sender)", of: question, age: 1, text, from: sender)
            }
            let other = Wire.ArchiveQuestion(iq: question.iq, id: "never-asked", form: [:], page: [:])
            second.archived("g", of: other, age: 1, text)
            second.archived("h", of: question, age: 1, text.replacing("type='chat'", with: "type='error'"))
            second.endPage(question, last: "z", complete: true)
            try await second.settle(online.bot)
            // The question is closed.
            second.archived("i", of: question, age: 1, text)
            try await second.settle(online.bot)
            #expect(online.bot.standard.runs.list.map(\.arguments) == ["one"])
            #expect(second.messages == [])
            #expect(try online.bot.rows().count { $0.direction == .incoming } == 1)
        }
    }

    @Test("archive.onFirstLogin reads so far back: what is old is logged in silence, what is fresh runs")
    func history() async throws {
        try await OnlineBot.running(
            discovery: .archive, configure: { $0.archive.onFirstLogin = .seconds(7 * 86_400) }
        ) { online in
            let question = try await online.wire.archiveQuestion()
            let start = try #require(question.form["start"].flatMap(Timestamp.init))
            #expect(start <= .ago(seconds: 7 * 86_400 - 1) && start > .ago(seconds: 7 * 86_400 + 600))
            online.wire.archived("a1", of: question, age: 86_400, OnlineBot.message("!echo old", id: "m1"))
            online.wire.archived(
                "a2", of: question, age: 5, OnlineBot.message("!echo new", from: "bob@example.test/y", id: "m2"))
            online.wire.endPage(question, last: "a2", complete: true)
            try await online.wire.expect(body: "new")
            try await online.wire.settle(online.bot)
            #expect(online.wire.messages.count == 1)
            #expect(
                try online.bot.rows().filter { $0.direction == .incoming }.map(\.state) == [.declined, .handled])
        }
    }

    @Test("a server without an archive is asked nothing, and one that refuses is named in the log")
    func without() async throws {
        try await OnlineBot.running { online in
            online.wire.connection.send(Self.live("!echo one", archiveID: "live-1", id: "m1"))
            try await online.wire.expect(body: "one")
            let second = try await gap(online, discovery: Discovery())
            try await second.settle(online.bot)
            #expect(second.unasked == [])
            let third = try await gap(online, second)
            let question = try await third.archiveQuestion()
            third.connection.send(
                "<iq type='error' id='\(question.iq["id"] ?? "")'><error type='auth'><forbidden "
                    + "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
            let line = try await online.bot.sink.expect("archive")
            #expect(line.message == ArchivePhrases.refused)
        }
    }

    @Test("archive.catchUp false reads nothing")
    func off() async throws {
        try await OnlineBot.running(discovery: .archive, configure: { $0.archive.catchUp = false }) { online in
            online.wire.connection.send(Self.live("!echo one", archiveID: "live-1", id: "m1"))
            try await online.wire.expect(body: "one")
            let second = try await gap(online)
            try await second.settle(online.bot)
            #expect(second.unasked == [])
        }
    }
}
