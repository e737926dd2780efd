package import BellhopDiagnostics
internal import BellhopSQLite
package import BellhopXMPP
internal import Dispatch
internal import Synchronization

/// Makes backups while the bot runs, on a thread of its own and with a connection of its own, and removes old ones.
///
/// Has no timer but the one for the next backup. What was made before a restart counts: the newest file says when.
package final class BackupKeeper: Sendable {
    /// What the operator wants.
    package struct Plan: Equatable, Sendable {
        package var every: Duration
        /// How many are kept.
        package var keep: Int
        package var folder: String
        package var name: BackupName

        package init(every: Duration, keep: Int, folder: String, name: BackupName) {
            self.every = every
            self.keep = keep
            self.folder = folder
            self.name = name
        }
    }

    private let journal: String
    private let plan: Plan
    private let log: Log
    private let clock: @Sendable () -> Timestamp
    private let queue = DispatchQueue(label: "bellhop.journal.backup")
    private let isStopped = Atomic(false)

    /// After a failure it tries again so soon, unless the next one is due before that.
    private static let retry = Duration.seconds(3_600)

    package init(
        journal: String, plan: Plan, log: Log,
        clock: @escaping @Sendable () -> Timestamp = { Timestamp(milliseconds: WallClock.milliseconds()) }
    ) {
        self.journal = journal
        self.plan = plan
        self.log = log
        self.clock = clock
    }

    /// Makes a backup now if one is due, and goes on until `finish`.
    package func start() { queue.async { self.work() } }

    /// Makes no more; gives up what is being copied, and waits for what is being read again.
    package func finish() {
        isStopped.store(true, ordering: .releasing)
        queue.sync {}
    }

    private func work() {
        guard !isStopped.load(ordering: .acquiring) else { return }
        let delay = makeIfDue()
        queue.asyncAfter(wallDeadline: .now() + .seconds(Int(clamping: delay.components.seconds + 1))) { [weak self] in
            self?.work()
        }
    }

    /// Makes a backup if one is due; how long there is until the next.
    func makeIfDue() -> Duration {
        do throws(CopyError) {
            let made = try JournalCopy.writing(plan.folder) { () throws(DatabaseError) in try backups() }
            let left = due(after: made.last?.moment) - clock()
            if left > .zero { return left }
            try make()
            try JournalCopy.writing(plan.folder) { () throws(DatabaseError) in try removeOld() }
            return plan.every
        } catch .givenUp {
            return plan.every
        } catch {
            log.warning("backup", JournalPhrase.backupFailed(error), ["journal": journal, "folder": plan.folder])
            return min(plan.every, Self.retry)
        }
    }

    /// A file that was made in the future, before somebody set the clock back, does not keep the next one waiting.
    private func due(after newest: Timestamp?) -> Timestamp {
        let now = clock()
        guard let newest else { return now }
        return min(newest, now) + plan.every
    }

    private func make() throws(CopyError) {
        let file = plan.folder + "/" + plan.name.name(at: clock())
        let contents = try JournalBackup(journal: journal).write(to: file, replacing: false) {
            !isStopped.load(ordering: .acquiring)
        }
        log.info(
            "backup", "The journal was backed up.",
            ["file": file, "messages": "\(contents.messages)", "bytes": "\(contents.bytes)"])
    }

    private func backups() throws(DatabaseError) -> [(name: String, moment: Timestamp)] {
        try DataFile.names(in: plan.folder)
            .compactMap { name in plan.name.moment(of: name).map { (name, $0) } }
            .sorted { $0.moment < $1.moment }
    }

    private func removeOld() throws(DatabaseError) {
        for name in try DataFile.names(in: plan.folder) where plan.name.isLeftOver(name) {
            try DataFile.remove(plan.folder + "/" + name)
        }
        for old in try backups().dropLast(plan.keep) { try DataFile.remove(plan.folder + "/" + old.name) }
    }
}
