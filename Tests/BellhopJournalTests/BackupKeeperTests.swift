import BellhopDiagnostics
import BellhopXMPP
import Foundation
import Synchronization
import Testing

@testable import BellhopJournal

@Suite("Journal, backups by itself")
struct BackupKeeperTests {
    private let stage: JournalStage
    private let time = Time()

    /// A wall clock that is turned by hand.
    final class Time: Sendable {
        private let moment = Mutex(Timestamp("2026-11-30T06:45:41.500Z") ?? Timestamp(milliseconds: 0))
        var now: Timestamp { moment.withLock { $0 } }
        func advance(by duration: Duration) { moment.withLock { $0 = $0 + duration } }
    }

    init() throws { stage = try JournalStage() }

    private func keeper(folder: String? = nil, keep: Int = 3) -> BackupKeeper {
        let time = time
        return BackupKeeper(
            journal: stage.scratch.file("j.db"),
            plan: .init(
                every: .seconds(3_600), keep: keep, folder: folder ?? stage.scratch.path,
                name: BackupName(account: JournalStage.own)),
            log: Log(level: .info, sink: stage.lines), clock: { time.now })
    }

    private var backups: [String] { stage.scratch.names.filter { $0.hasPrefix(JournalStage.own) } }

    @Test("the first is made at once, the next when it is due, and a restart makes none before that")
    func due() throws {
        #expect(keeper().makeIfDue() == .seconds(3_600))
        #expect(backups == ["bot@example.org-20261130T064541Z.db"])
        time.advance(by: .seconds(600))
        #expect(keeper().makeIfDue() == .milliseconds(2_999_500))
        #expect(backups.count == 1)
        time.advance(by: .seconds(3_000))
        #expect(keeper().makeIfDue() == .seconds(3_600))
        #expect(backups.count == 2)
        #expect(stage.lines.messages == ["The journal was backed up.", "The journal was backed up."])
    }

    @Test("the oldest are removed, and only files whose name is ours")
    func oldest() {
        let others = [
            "bot@example.org-20200101T000000Z.db.txt", "other@example.org-20200101T000000Z.db",
            "bot@example.org-20201301T000000Z.db", "bot@example.org-2020.db", "xbot@example.org-20200101T000000Z.db",
        ]
        for name in others { stage.scratch.write([1], name) }
        stage.scratch.write([1], "bot@example.org-20200101T000000Z.db")
        stage.scratch.write([1], "bot@example.org-20210101T000000Z.db.partial-ab12c")
        for _ in 1...4 {
            _ = keeper(keep: 2).makeIfDue()
            time.advance(by: .seconds(3_600))
        }
        let kept = ["bot@example.org-20261130T084541Z.db", "bot@example.org-20261130T094541Z.db"]
        let journal = ["j.db", "j.db-lock", "j.db-shm", "j.db-wal"]
        #expect(stage.scratch.names == (others + kept + journal).sorted())
    }

    @Test("a clock that was set back keeps the next backup waiting no longer than usual")
    func setBack() {
        stage.scratch.write([1], "bot@example.org-20990101T000000Z.db")
        #expect(keeper().makeIfDue() == .seconds(3_600))
    }

    @Test("a failure is a warning that says what to do, and it is tried again within the hour")
    func failure() {
        let folder = stage.scratch.file("none")
        #expect(keeper(folder: folder).makeIfDue() == .seconds(3_600))
        #expect(
            stage.lines.messages == [
                """
                No backup was made: there is no folder \(folder); make it, or set journal.backup.folder. \
                The bot goes on, and tries again within the hour.
                """
            ])
    }

    @Test("it works on a thread of its own until it is finished")
    func threads() async {
        let keeper = keeper()
        keeper.start()
        // waits for a fact: the log line
        while stage.lines.messages.isEmpty { await Task.yield() }
        keeper.finish()
        #expect(backups.count == 1)
        #expect(self.keeper().makeIfDue() > .zero)
    }

    @Test("names are read as they are written, and two long accounts have two names")
    func names() {
        for account in ["bot@example.org", "b-20200101T000000Z@x.example", String(repeating: "ä", count: 600)] {
            let name = BackupName(account: account)
            let moment = Timestamp(milliseconds: 1_790_000_000_000)
            let file = name.name(at: moment)
            #expect(name.moment(of: file) == moment, "\(file)")
            #expect(file.utf8.count < 240)
            #expect(name.isLeftOver(file + ".partial-ab12c"))
            #expect(!name.isLeftOver(file))
        }
        let (a, b) = (String(repeating: "x", count: 300) + "a", String(repeating: "x", count: 300) + "b")
        #expect(BackupName(account: a) != BackupName(account: b))
    }

    @Test("the copies of a journal are found, whoever made them")
    func copies() {
        for name in ["j.db.before-v2", "j.db.before-restore", "other.db.before-v2"] { stage.scratch.write([1], name) }
        _ = keeper().makeIfDue()
        #expect(
            JournalFiles.copies(
                of: stage.scratch.file("j.db"), backups: stage.scratch.file("none"),
                name: BackupName(account: JournalStage.own))
                == ["bot@example.org-20261130T064541Z.db", "j.db.before-restore", "j.db.before-v2"].map {
                    stage.scratch.file($0)
                })
    }
}
