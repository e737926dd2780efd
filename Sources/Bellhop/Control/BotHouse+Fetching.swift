internal import BellhopBot
internal import BellhopClient
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// `log fetch`: what the archive on the server has of one person, into the log and nowhere else.
extension BotHouse {
    /// What is already logged is read on another thread, since it may be long; the log then gets what is not among it.
    func fetch(_ person: JID, since age: Duration, _ answered: @escaping @Sendable (ControlAnswer) -> Void) {
        let handle = loop.handle
        let path = ledger.journal.path
        loop.findArchive { isThere in
            guard isThere == true else { return answered(.failed(isThere == nil ? .noAnswer : .noArchive)) }
            do throws(TransportError) {
                try LoopThread.start("fetch") {
                    let logged = Result { () throws(JournalError) in
                        try JournalReader(path: path).logged(with: person.bareText)
                    }
                    handle.post(HouseRequest { $0.fetch(person, since: age, logged, answered) })
                }
            } catch {
                answered(.failed(.busy))
            }
        }
    }

    private func fetch(
        _ person: JID, since age: Duration, _ logged: Result<LoggedMessages, JournalError>,
        _ answered: @escaping @Sendable (ControlAnswer) -> Void
    ) {
        let fetching: Fetching
        switch logged {
        case .failure(let error):
            return answered(.failed(.journalFailed(reason: JournalPhrases.sentence(error))))
        case .success(let logged):
            // What is behind the place up to which the archive is known is still to be caught up with, and may have to run.
            let known = ledger.archivePosition?.filedAt ?? loop.clock - loop.settings.maxAge
            fetching = Fetching(logged: logged, end: archive.catchUp ? known : nil)
        }
        ledger.journal.beginFetching()
        loop.readArchive(ArchiveRequest(.since(loop.clock - age), with: person)) { [unowned self] report in
            switch report {
            case .page(let messages, _):
                for message in messages { fetching.take(message, into: desk, at: moment) }
            case .ended(let ending):
                ledger.journal.endFetching()
                let answer = fetching.answer(ending)
                afterCommit { [ledger] in answered(ledger.isHeld ? .failed(.journalFull) : answer) }
            }
        }
    }
}

/// One reading of the archive for the log.
private final class Fetching {
    private let logged: LoggedMessages
    private let end: Timestamp?
    private var new = 0
    private var known = 0
    private var isFull = false

    init(logged: LoggedMessages, end: Timestamp?) {
        self.logged = logged
        self.end = end
    }

    func take(_ message: IncomingMessage, into desk: Desk, at moment: Moment) {
        var message = message
        let isOwn = message.obstacle == .own
        if logged.contains(message, isOwn: isOwn) {
            known += 1
            return
        }
        if !isOwn, let end, message.delay.map({ $0 > end }) ?? false { return }
        // That it is old is no surprise here.
        if message.obstacle == .stale { message.obstacle = nil }
        switch desk.file(message, reason: Journal.fetched, at: moment) {
        case .new: new += 1
        case .duplicate: known += 1
        case .refused: isFull = true
        case nil: break
        }
    }

    func answer(_ ending: ArchiveReading.Ending) -> ControlAnswer {
        if isFull { return .failed(.journalFull) }
        switch ending {
        case .complete: return .fetched(new: new, known: known, isWhole: true)
        case .limit: return .fetched(new: new, known: known, isWhole: false)
        case .confused: return .failed(.refused(reason: ArchivePhrases.leadsNowhere))
        case .refused(let error):
            return .failed(.refused(reason: error.condition.rawValue + (error.text.map { ": \($0)" } ?? "")))
        case .silence: return .failed(.noAnswer)
        }
    }
}
