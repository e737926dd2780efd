import BellhopSQLite
import Foundation
import Testing

@Suite("The care of a journal from the command line")
struct CareTests {
    private func withJournal(_ body: (_ folder: String, _ environment: [String: String]) async throws -> Void)
        async throws
    {
        try await TemporaryDirectory.with { folder in
            let state = folder + "/state"
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
            let environment = [
                "HOME": folder, "STATE_DIRECTORY": state, "XDG_CONFIG_HOME": "", "BELLHOP_CONFIG": "",
                "BELLHOP_JID": "bot@localhost", "BELLHOP_PASSWORD": "",
            ]
            try await body(folder, environment)
        }
    }

    private func run(_ arguments: String..., environment: [String: String]) async throws -> CompletedRun {
        try await Product.echobot.run(arguments, environment: environment)
    }

    @Test("backup, forget and restore, with their sentences and exit codes")
    func everything() async throws {
        try await withJournal { folder, environment in
            let (journal, copy) = (folder + "/state/journal.db", folder + "/copy.db")
            let none = try await run("backup", copy, environment: environment)
            #expect(none.end == .exited(74))
            #expect(none.errors == "echobot: cannot open the journal \(journal): there is no such file\n")
            // A journal as a bot leaves it: forgetting in an empty one makes it.
            _ = FileManager.default.createFile(atPath: journal, contents: nil)
            #expect(try await run("log", "forget", "a@x.example", environment: environment).end == .exited(0))
            try Connection(journal, .write).execute(
                """
                INSERT INTO messages (seq, account, direction, kind, state, received_at, peer, body)
                VALUES (1, 1, 0, 0, 1, 0, 'ann@x.example', 'FORGETME'), (2, 1, 0, 0, 1, 0, 'bob@x.example', 'kept')
                """)
            let made = try await run("backup", copy, environment: environment)
            #expect(made.end == .exited(0), "\(made.errors)")
            #expect(made.output.hasPrefix("\(copy): 2 messages from 1970-01-01T00:00:00.000Z to "))
            #expect(try await run("backup", copy, environment: environment).end == .exited(73))
            #expect(try await run("backup", copy, "--force", environment: environment).end == .exited(0))
            let forgotten = try await run("log", "forget", "ann@x.example", environment: environment)
            #expect(forgotten.end == .exited(0), "\(forgotten.errors)")
            #expect(
                forgotten.output
                    == "1 message and 0 further rows of ann@x.example are gone from the journal and its files.\n")
            let bytes = FileManager.default.contents(atPath: journal) ?? Data()
            #expect(!bytes.isEmpty && bytes.range(of: Data("FORGETME".utf8)) == nil)
            let restored = try await run("restore", copy, environment: environment)
            #expect(restored.end == .exited(0), "\(restored.errors)")
            #expect(restored.output.contains("The journal that was there is kept: \(journal).before-restore.\n"))
            #expect(try Connection(journal, .read).integer("SELECT count(*) FROM messages") == 2)
            let lock = try InstanceLock(beside: journal)
            #expect(try await run("restore", copy, environment: environment).end == .exited(75))
            lock.release()
            #expect(try await run("restore", journal + "-lock", environment: environment).end == .exited(73))
            try Data("no database, only a text that is long enough".utf8).write(to: URL(filePath: folder + "/text"))
            #expect(try await run("restore", folder + "/text", environment: environment).end == .exited(65))
            let named = try await run("log", "forget", "ann@x.example", environment: environment)
            #expect(
                named.output.hasSuffix(
                    "These copies were not touched and may hold what was said:\n  \(journal).before-restore\n"))
        }
    }
}
