import BellhopJournal
import BellhopXMPP
import Dispatch
import Foundation
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Care of the data while messages flow")
struct CareTests {
    /// Does what blocks on a thread that may be blocked.
    private func aside<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { answer in DispatchQueue.global().async { answer.resume(returning: work()) } }
    }

    /// Which files in the journal's folder hold the text.
    private func files(holding text: String, _ online: OnlineBot) throws -> [String] {
        let folder = JournalFiles.folder(of: online.bot.configuration.journal.path)
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
            FileManager.default.contents(atPath: folder + "/" + name)?.range(of: Data(text.utf8)) != nil
        }
    }

    @Test(
        "the command line has a running bot forget somebody; it answers others meanwhile, and no byte of the text is left"
    )
    func forgetting() async throws {
        try await OnlineBot.running(.inline) { online in
            for number in 1...40 {
                online.say("!echo FORGETME \(number)", from: "mallory@secret.example/x", id: "m\(number)")
                online.say("!echo harmless \(number)", id: "a\(number)")
            }
            try await online.wire.expect(body: "harmless 40")
            #expect(try !files(holding: "FORGETME", online).isEmpty)
            let path = ControlServer.path(journal: online.bot.configuration.journal.path)
            let account = online.bot.configuration.account.jid
            let mallory = try JID("mallory@secret.example")
            async let answer = aside { ControlClient.ask(.forget(mallory), for: account, at: path) }
            for number in 41...80 { online.say("!echo harmless \(number)", id: "a\(number)") }
            #expect(await answer == .answered(.forgotten(messages: 80, others: 0)))
            try await online.wire.expect(body: "harmless 80")
            #expect(try files(holding: "FORGETME", online).isEmpty)
            #expect(try files(holding: "mallory", online).isEmpty)
            #expect(try online.bot.rows().count == 160)
            // What they say from now on is a new beginning.
            online.say("!echo once more", from: "mallory@secret.example/x", id: "m1")
            try await online.wire.expect(body: "once more")
            #expect(try await online.stop() == .success)
            #expect(try files(holding: "FORGETME", online).isEmpty)
        }
    }

    @Test("backups while messages flow are whole and count right, and one by itself is made at the start")
    func backups() async throws {
        try await OnlineBot.running(.inline, configure: { $0.journal.backup.every = .seconds(86_400) }) { online in
            let configuration = online.bot.configuration
            let journal = configuration.journal.path
            for round in 1...5 {
                for number in 1...40 { online.say("!echo \(round).\(number)", id: "\(round).\(number)") }
                let contents = try await aside {
                    Result {
                        try JournalBackup(journal: journal).write(to: journal + ".copy-\(round)", replacing: false)
                    }
                }.get()
                // A message and its answer are one commit.
                #expect(contents.messages % 2 == 0)
                try await online.wire.expect(body: "\(round).40")
                #expect(try JournalReader(path: journal + ".copy-\(round)").check().isEmpty)
            }
            let last = try JournalBackup(journal: journal).write(to: journal + ".copy-6", replacing: false)
            #expect(last.messages == 400)
            #expect(try await online.stop() == .success)
            let own = JournalFiles.copies(
                of: journal, backups: configuration.backupFolder, name: configuration.backupName)
            #expect(own.count == 1)
        }
    }

    @Test("a message that is not to be stored is answered, and its row stays without its text (XEP-0334)")
    func noStore() async throws {
        try await OnlineBot.running(.tasks) { online in
            for (id, hint) in [("1", "no-store"), ("2", "no-permanent-store"), ("3", "no-copy")] {
                online.wire.connection.send(
                    """
                    <message from='alice@example.test/phone' to='\(BotConfiguration.bound)' type='chat' id='\(id)'>\
                    <body>!echo SECRET \(id)</body><\(hint) xmlns='urn:xmpp:hints'/></message>
                    """)
                try await online.wire.expect(body: "SECRET \(id)")
            }
            #expect(try await online.stop() == .success)
            let rows = try online.bot.rows()
            #expect(rows.map(\.body) == [nil, nil, nil, nil, "!echo SECRET 3", "SECRET 3"])
            #expect(rows.map(\.state) == [.handled, .sent, .handled, .sent, .handled, .sent])
            for text in ["SECRET 1", "SECRET 2"] { #expect(try files(holding: text, online).isEmpty) }
        }
    }

    @Test("without texts the bot answers as ever, and its files hold none when it has stopped")
    func withoutTexts() async throws {
        try await OnlineBot.running(.tasks, configure: { $0.journal.bodies = false }) { online in
            for number in 1...20 {
                online.say("!echo SECRET \(number)", id: "\(number)")
                try await online.wire.expect(body: "SECRET \(number)")
            }
            #expect(try await online.stop() == .success)
            #expect(try online.bot.rows().count == 40)
            #expect(try files(holding: "SECRET", online).isEmpty)
        }
    }
}
