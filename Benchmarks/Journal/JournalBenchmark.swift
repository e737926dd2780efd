import BellhopDiagnostics
import BellhopJournal
import BellhopXMPP
import Glibc

/// What the journal costs an echo bot: two rows for each message, in turns of some messages.
///
/// `journal-benchmark FILE MESSAGES BATCH BODY-BYTES` prints CPU microseconds per message of the writer's thread and of
/// the process, and the peak of the write-ahead log.
/// `journal-benchmark FILE forever` writes until it is killed, a line with the newest row after each commit.
@main struct JournalBenchmark {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            print("usage: journal-benchmark FILE MESSAGES BATCH BODY-BYTES | journal-benchmark FILE forever")
            exit(64)
        }
        do {
            let journal = try Journal(path: arguments[1], accounts: ["bot@example.org"], log: .silent)
            if arguments[2] == "forever" {
                forever(journal)
            } else {
                measure(
                    journal, messages: number(arguments, 2, 200_000), batch: number(arguments, 3, 64),
                    body: number(arguments, 4, 16))
            }
        } catch {
            print("journal-benchmark: \(error)")
            exit(74)
        }
    }

    private static func number(_ arguments: [String], _ index: Int, _ standard: Int) -> Int {
        arguments.indices.contains(index) ? max(Int(arguments[index]) ?? standard, 1) : standard
    }

    private static func measure(_ journal: Journal, messages: Int, batch: Int, body: Int) {
        guard let account = journal.account("bot@example.org") else { return }
        let reply = "hello " + String(repeating: "x", count: max(body - 6, 0))
        let peers = (0..<100).map { "sender\($0)@example.org" }
        var written = 0
        var peak = 0
        var busy = 0
        let process = clock(CLOCK_PROCESS_CPUTIME_ID)
        let thread = clock(CLOCK_THREAD_CPUTIME_ID)
        let wall = clock(CLOCK_MONOTONIC)
        while written < messages {
            let now = Duration.nanoseconds(clock(CLOCK_MONOTONIC))
            let moment = Timestamp(milliseconds: 1_790_000_000_000 + Int64(written / 100))
            var last = RowID(0)
            for _ in 0..<batch {
                let peer = peers[written % 100]
                let entry = Entry(
                    account: account, direction: .incoming, peer: peer, resource: "phone", id: "m\(written)",
                    body: "!echo " + reply)
                if case .new(let row) = journal.admit(entry, at: moment) {
                    journal.mark(row, .handled)
                    let answer = Entry(
                        account: account, direction: .outgoing, peer: peer, resource: "phone", body: reply)
                    last = journal.queue(answer, answers: row, at: moment).row
                }
                written += 1
            }
            while case .waiting = journal.commit(now: Duration.nanoseconds(clock(CLOCK_MONOTONIC))) {
                busy += 1
                usleep(500)
            }
            journal.sent(through: last, account: account, now: now)
            if written % 4_096 < batch { peak = max(peak, size(journal.path + "-wal")) }
        }
        let count = Double(messages)
        let figures = [
            ("thread us/msg", Double(clock(CLOCK_THREAD_CPUTIME_ID) - thread) / count / 1_000),
            ("process us/msg", Double(clock(CLOCK_PROCESS_CPUTIME_ID) - process) / count / 1_000),
            ("wall us/msg", Double(clock(CLOCK_MONOTONIC) - wall) / count / 1_000),
            ("WAL peak MiB", Double(peak) / 1_048_576), ("waits", Double(busy)),
        ]
        for (name, value) in figures { print("\(name): \(Double(Int(value * 1_000)) / 1_000)") }
        journal.close(now: .nanoseconds(clock(CLOCK_MONOTONIC)))
        print("file MiB: \(size(journal.path) >> 20)")
    }

    private static func forever(_ journal: Journal) {
        guard let account = journal.account("bot@example.org") else { return }
        var turn = 0
        while true {
            var newest = RowID(0)
            for part in 0..<20 {
                let body = "turn \(turn) part \(part)"
                let entry = Entry(
                    account: account, direction: .incoming, peer: "alice@example.org", id: "t\(turn)p\(part)",
                    body: body)
                guard case .new(let row) = journal.admit(entry, at: Timestamp(milliseconds: Int64(turn))) else {
                    continue
                }
                if part != 7 { journal.mark(row, .handled) }
                let reply = Entry(account: account, direction: .outgoing, peer: "alice@example.org", body: body)
                newest = journal.queue(reply, answers: row, at: Timestamp(milliseconds: Int64(turn))).row
            }
            if case .committed = journal.commit(now: .nanoseconds(clock(CLOCK_MONOTONIC))) {
                print(newest.number)
                // Whoever reads must see only what is committed, and all of it.
                fflush(nil)
            }
            turn += 1
        }
    }

    private static func clock(_ which: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(which, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
