import BellhopDiagnostics
import BellhopXMPP
import Synchronization
import Testing

@testable import BellhopJournal

/// A journal in a directory of its own, with a clock that is turned by hand.
final class JournalStage {
    static let own = "bot@example.org"
    /// When what is marked as failed came back.
    static let later = Timestamp(milliseconds: 3_000)
    let scratch = Scratch()
    let lines = CollectedLines()
    private(set) var journal: Journal
    let account: AccountID
    var now = Duration.seconds(100)

    init(_ options: JournalOptions = JournalOptions(), schema: Schema = .current) throws {
        journal = try Journal(
            path: scratch.file("j.db"), accounts: [Self.own], options: options,
            log: Log(level: .info, sink: lines), schema: schema)
        account = try #require(journal.account(Self.own))
    }

    var reader: JournalReader { get throws { try JournalReader(path: scratch.file("j.db")) } }

    /// Closes the journal and opens it again.
    func restart(_ options: JournalOptions = JournalOptions()) throws {
        journal.close(now: now)
        journal = try Journal(
            path: scratch.file("j.db"), accounts: [Self.own], options: options, log: Log(level: .info, sink: lines))
    }

    func incoming(
        _ body: String?, from peer: String = "alice@example.org", id: String? = nil, originID: String? = nil,
        archiveID: String? = nil, sentAt: Timestamp? = nil, payload: String? = nil
    ) -> Entry {
        Entry(
            account: account, direction: .incoming, peer: peer, resource: "phone", id: id, originID: originID,
            archiveID: archiveID, body: body, payload: payload, sentAt: sentAt)
    }

    func outgoing(_ body: String, to peer: String = "alice@example.org", id: String? = nil) -> Entry {
        Entry(account: account, direction: .outgoing, peer: peer, resource: "phone", id: id, body: body)
    }

    func admit(_ entry: Entry, state: RowState = .received, at moment: Int64 = 1_000) -> Admission {
        journal.admit(entry, state: state, at: Timestamp(milliseconds: moment))
    }

    /// Admits a message that must be new.
    func row(_ entry: Entry, state: RowState = .received, at moment: Int64 = 1_000) throws -> RowID {
        guard case .new(let row) = admit(entry, state: state, at: moment) else {
            throw Unexpected(admission: admit(entry))
        }
        return row
    }

    func queue(_ entry: Entry, answers: RowID? = nil, ordinal: Int = 0) -> Queued {
        journal.queue(entry, answers: answers, ordinal: ordinal, at: Timestamp(milliseconds: 2_000))
    }

    @discardableResult
    func commit() -> CommitOutcome { journal.commit(now: now) }

    func all() throws -> [StoredMessage] { try reader.messages(after: RowID(0), limit: 100_000) }

    struct Unexpected: Error { var admission: Admission }
}

extension Journal {
    func departed(_ rows: [RowID], isAcknowledged: Bool, account: AccountID, now: Duration) {
        for row in rows { departed(row, isAcknowledged: isAcknowledged, account: account, now: now) }
    }
}

/// Keeps log lines for a test to look at.
final class CollectedLines: LogSink {
    private let lines = Mutex<[LogLine]>([])

    var messages: [String] { lines.withLock { $0.map(\.message) } }

    /// All that was written, fields included.
    var everything: String { lines.withLock { "\($0)" } }

    func write(_ line: LogLine) { lines.withLock { $0.append(line) } }
}
