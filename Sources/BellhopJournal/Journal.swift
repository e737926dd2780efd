package import BellhopDiagnostics
internal import BellhopSQLite

/// The log of what was said and what became of it; the one writer of its file.
///
/// Belongs to the loop's thread. What is written gathers in memory during a turn of the loop, and `commit` puts it into
/// the database in one transaction; bytes may leave for the network after that. Never waits for a lock.
package final class Journal {
    package let path: String
    package let options: JournalOptions
    /// A short random name of this journal, part of the ids of the messages that it logs.
    package let tag: String

    let log: Log
    let connection: Connection
    let statements: JournalStatements
    private let lock: InstanceLock
    let checkpointer: Checkpointer

    var backlog = Backlog()
    var health = WriterHealth()
    var accounts: [Account]
    /// The number that the next row gets; handed out here because nobody else writes.
    var next: Int64
    var window: DuplicateWindow
    /// Whether the archive is being read because the bot was away, and how often because somebody wants it.
    var isReadingArchive = false { didSet { window.isHeld = isReadingArchive || fetches > 0 } }
    var fetches = 0 { didSet { window.isHeld = isReadingArchive || fetches > 0 } }
    /// Committed incoming rows that are received or started, with their peer's fingerprint.
    var open: [Int64: Int] = [:]
    var settled = Watermark()
    /// Those of the open rows, held ones too, whose text goes when they are done.
    var transient: Set<Int64>
    /// Messages not known to be sent whose text goes then, in order.
    var unsentTexts: [PendingText]
    /// When the write-ahead log is emptied, because texts that are to go are in it; nil when none are.
    var wipeDue: Duration?
    var recentOut: RecentOutgoing
    /// Messages that are to be sent again, whatever the mark of their account says.
    var requeued: Set<Int64>
    /// When it has to be stored that such a message was sent; nil when it is.
    var resentDue: Duration?
    /// Answers of the last run to commands that may be run again.
    var answered: [Answer: RowID] = [:]
    var requests = RequestBook()
    /// Greeted in this run, so that a greeting that is not committed yet counts.
    var greeted: Set<Greeted> = []
    /// Rows that were turned away since the disk takes none.
    var unlogged = 0
    var isClosed = false

    struct Account {
        var id: AccountID
        var jid: String
        var sent = Watermark()
        /// The same for what the server said that it has (XEP-0198).
        var acknowledged = Watermark()
        var outgoing = OutgoingRows()
        /// What resuming its stream takes, where that has changed since the last commit.
        var stream: StreamChange?
    }

    enum StreamChange: Equatable {
        case kept(String)
        case forgotten
    }

    struct PendingText: Equatable {
        var number: Int64
        var account: Int64
    }

    struct Answer: Hashable {
        var command: Int64
        var ordinal: Int
    }

    struct Greeted: Hashable {
        var account: AccountID
        var jid: String
    }

    /// Opens the journal at `path`, made when there is none, and keeps other instances out until it is closed.
    ///
    /// `accounts` are the bare addresses that it is kept for.
    package init(
        path: String, accounts names: [String], options: JournalOptions = JournalOptions(), log: Log,
        schema: Schema = .current
    ) throws(JournalError) {
        do {
            lock = try InstanceLock(beside: path)
        } catch {
            throw JournalError(error, path: path)
        }
        let connection = try JournalFile.openForWriting(path, schema: schema, durability: options.durability)
        self.path = path
        self.options = options
        self.log = log
        self.connection = connection
        let start = try JournalFile.described(path) { () throws(DatabaseError) in
            try JournalStart(connection, accounts: names, options: options)
        }
        statements = start.statements
        tag = start.tag
        accounts = start.accounts
        next = start.next
        window = start.window
        isReadingArchive = start.window.isHeld
        open = start.open
        transient = start.transient
        unsentTexts = start.unsentTexts
        settled = Watermark(start.settled)
        answered = start.answered
        requeued = start.requeued
        requests = start.requests
        recentOut = RecentOutgoing()
        checkpointer = Checkpointer(path: path, pageSize: start.pageSize, options: options)
    }

    /// The number of one of the accounts that the journal was opened for; nil for another address.
    package func account(_ jid: String) -> AccountID? {
        accounts.first { $0.jid == jid }?.id
    }

    /// Leaves the file as a killed process does: what was not committed is lost, the write-ahead log stays for the next to open
    /// it, and the lock is let go.
    package func abandon() {
        guard !isClosed else { return }
        isClosed = true
        checkpointer.finish()
        connection.keepLogOnClose(true)
        lock.release()
    }

    /// Writes what is left, copies the log into the database file, and lets the next instance in.
    ///
    /// Waits up to a second for somebody's lock; nothing is written after that. False when rows could not be written and are lost now.
    @discardableResult
    package func close(now: Duration) -> Bool {
        guard !isClosed else { return true }
        isClosed = true
        for index in accounts.indices {
            accounts[index].sent.expire()
            accounts[index].acknowledged.expire()
        }
        settled.expire()
        // A checkpoint at work has the lock, and this is the last chance: here it is worth a wait.
        checkpointer.finish()
        connection.setBusyTimeout(milliseconds: 1_000)
        let outcome = commit(now: now, atAnyCost: true)
        checkpointer.finish()
        // Somebody who reads keeps the log from being cut; it is then done by the next to close.
        _ = try? connection.checkpoint(.truncate)
        lock.release()
        switch outcome {
        case .committed, .recovered: return true
        case .waiting, .holding, .full: return false
        }
    }
}
