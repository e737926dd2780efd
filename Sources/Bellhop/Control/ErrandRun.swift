internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopTransport
internal import Synchronization

/// Does what a command line asks where no bot runs: logs in with a resource of its own, without presence, and leaves.
struct ErrandRun {
    let request: ControlRequest
    let configuration: Configuration
    let program: String
    let log: Log

    func run() -> ErrandOutcome {
        do {
            let account = configuration.account.jid.bareText
            let journal = try Journal(
                path: configuration.journal.path, accounts: [account], options: configuration.journalOptions, log: log)
            guard let number = journal.account(account) else { return .interrupted }
            let outcome = try run(JournalLedger(journal: journal, account: number))
            let isWhole = journal.close(now: MonotonicClock.now())
            return isWhole ? outcome : .answered(.failed(.journalFull))
        } catch let error as JournalError {
            return .journal(error)
        } catch {
            return .machine("\(error)")
        }
    }

    private func run(_ ledger: JournalLedger) throws -> ErrandOutcome {
        var settings = configuration.accountSettings
        settings.resource += "-" + OnlineCheck.randomWord
        settings.announces = false
        settings.retries = false
        // The stream that the bot itself will take up again stays as it is.
        settings.managesStream = false
        settings.proven = try ledger.proof()
        let loop = try AccountLoop(settings: settings, log: log)
        let handle = loop.handle
        // What waits to be sent is the bot's to send: of some of it only the bot's stream knows whether it arrived.
        let chat = AccountChat(loop: loop, queued: { _, _, _ in [] }, pace: nil, log: log)
        let desk = Desk(
            bot: Bot {}, settings: configuration.deskSettings(program: program), ledger: ledger, chat: chat,
            inlineExecutor: loop.executor, log: log, post: { handle.post($0) })
        let house = BotHouse(loop: loop, desk: desk, ledger: ledger, chat: chat, log: log)
        house.archive = configuration.archive
        let answer = AnswerBox()
        let request = request
        house.onceOnline = { house in
            house.perform(request) { given in
                answer.put(given)
                handle.stop()
            }
        }
        try BotRun.stopAtSignals(handle)
        let ending = loop.run(house: house)
        desk.close()
        if let given = answer.taken { return .answered(given) }
        return ending == .stopped ? .interrupted : .ended(ending)
    }
}

/// Holds the answer until the loop has said goodbye.
private final class AnswerBox: Sendable {
    private let answer = Mutex<ControlAnswer?>(nil)

    func put(_ given: ControlAnswer) { answer.withLock { $0 = $0 ?? given } }

    var taken: ControlAnswer? { answer.withLock { $0 } }
}
