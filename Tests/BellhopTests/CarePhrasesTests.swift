import BellhopDiagnostics
import BellhopJournal
import BellhopXMPP
import Testing

@testable import Bellhop

@Suite("What the care of the journal says")
struct CarePhrasesTests {
    private static func contents(_ messages: Int) throws -> JournalContents {
        try TemporaryFolder.with { folder in
            let journal = try Journal(path: folder + "/j.db", accounts: ["bot@example.org"], log: .silent)
            journal.close(now: .zero)
            var contents = try JournalContents(of: folder + "/j.db")
            contents.messages = messages
            contents.bytes = 40_960
            contents.version = 1
            if messages > 0 {
                contents.first = Timestamp("2026-11-30T06:45:41.000Z")
                contents.last = Timestamp("2026-11-30T07:00:00.000Z")
            }
            return contents
        }
    }

    @Test("a backup says what it holds")
    func backup() throws {
        #expect(
            CarePhrases.madeBackup("b.db", try Self.contents(12))
                == "b.db: 12 messages from 2026-11-30T06:45:41.000Z to 2026-11-30T07:00:00.000Z, 40960 bytes, version 1. "
                + "It was read again and is sound.\n")
        #expect(CarePhrases.contents(try Self.contents(0)) == "0 messages, 40960 bytes, version 1")
    }

    @Test("what keeps a backup from being made has its sentence and its exit code")
    func backupTroubles() {
        let cases: [(CopyError, String, ExitCode)] = [
            (
                .exists(file: "b.db"), "b.db is there already and stays; name another file, or use --force.",
                .cannotCreate
            ),
            (
                .isJournal(file: "/j.db"),
                "/j.db belongs to the journal itself and stays as it is; name another file.", .cannotCreate
            ),
            (
                .target(.cannotOpen(path: "/b/x", .directoryMissing("/b"))),
                "no backup was made: the folder /b does not exist; make it first.", .cannotCreate
            ),
            (
                .target(.full(path: "/b/x")), "no backup was made: the disk of /b/x is full; make room.", .cannotCreate
            ),
            (
                .source(.cannotOpen(path: "/j.db", .fileMissing)),
                "cannot open the journal /j.db: there is no such file", .inputOutput
            ),
            (
                .differs(file: "b.db", finding: "3 of 4 messages arrived"),
                "no backup was made: what was written to b.db is not what was read (3 of 4 messages arrived); look after "
                    + "the disk.", .inputOutput
            ),
            (.givenUp, "Stopped before it was done; no backup was made.", .unavailable),
        ]
        for (error, sentence, code) in cases {
            #expect(CarePhrases.backupTrouble(error) == sentence)
            #expect(CarePhrases.backupCode(error) == code)
        }
    }

    @Test("what was restored, what was kept, what was ended, and for whom it was")
    func restored() throws {
        let whole = JournalRestore.Outcome(contents: try Self.contents(1), kept: "/j.db.before-restore", ended: 2)
        #expect(
            CarePhrases.restored(whole, journal: "/j.db", account: "new@example.org")
                == """
                The journal /j.db is that backup now: 1 message from 2026-11-30T06:45:41.000Z to 2026-11-30T07:00:00.000Z, \
                40960 bytes, version 1.
                The journal that was there is kept: /j.db.before-restore.
                2 messages in it waited to be run or sent when the backup was made; they will be neither.
                It was kept for bot@example.org, and this bot is new@example.org; it goes on in the same file.

                """)
        let plain = JournalRestore.Outcome(contents: try Self.contents(0), kept: nil, ended: 0)
        #expect(
            CarePhrases.restored(plain, journal: "/j.db", account: "bot@example.org")
                == "The journal /j.db is that backup now: 0 messages, 40960 bytes, version 1.\n")
    }

    @Test("what keeps a backup from being restored has its sentence and its exit code")
    func restoreTroubles() {
        let cases: [(CopyError, String, ExitCode)] = [
            (.source(.notAJournal(path: "/b")), "nothing was restored: /b is no backup of a journal.", .invalidData),
            (
                .source(.damaged(path: "/b", finding: "page 3")),
                "nothing was restored: /b is damaged (page 3); take an older backup.", .invalidData
            ),
            (
                .source(.newer(path: "/b", found: 9, known: 1)),
                "nothing was restored: /b has version 9, and this program knows versions up to 1; upgrade the program first.",
                .invalidData
            ),
            (
                .source(.cannotOpen(path: "/b", .fileMissing)), "nothing was restored: there is no file /b.",
                .inputOutput
            ),
            (
                .target(.alreadyRunning(path: "/j.db", pid: 42)),
                "a bot is running (process 42); stop it first, nothing was restored.", .alreadyRunning
            ),
            (
                .target(.cannotOpen(path: "/j.db", .directoryNotWritable("/"))),
                "nothing was restored: the folder / cannot be written; change its owner or mode.", .cannotCreate
            ),
            (.isJournal(file: "/b"), "/b belongs to the journal itself; nothing was restored.", .cannotCreate),
        ]
        for (error, sentence, code) in cases {
            #expect(CarePhrases.restoreTrouble(error, file: "/b") == sentence)
            #expect(CarePhrases.restoreCode(error) == code)
        }
    }

    @Test("who was forgotten, and which copies were not touched")
    func forgotten() throws {
        let ann = try JID("ann@example.org")
        #expect(
            CarePhrases.forgotten(ann, messages: 2, others: 1, copies: ["/b/1", "/b/2\n"])
                == """
                2 messages and 1 further row of ann@example.org are gone from the journal and its files.
                These copies were not touched and may hold what was said:
                  /b/1
                  /b/2\\n

                """)
        #expect(
            CarePhrases.forgotten(ann, messages: 0, others: 0, copies: [])
                == "Nothing of ann@example.org was in the journal.\n")
        #expect(ErrandOutcome.answered(.failed(.logInUse)).exitCode == .inputOutput)
        #expect(
            ErrandPhrases.trouble(.answered(.failed(.logInUse)), bot: "echobot")
                == "The rows are gone, but another program reads the journal, and texts may be in its write-ahead log until it "
                + "is done; end it (log show --follow?) and run log forget once more.")
    }
}
