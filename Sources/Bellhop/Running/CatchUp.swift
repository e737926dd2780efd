internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopXMPP

/// One reading of what was said while the bot was away: into the log in its order, and what is fresh runs.
///
/// Where it stopped is in the journal with each page, so that a cut or a kill costs a page at most.
final class CatchUp {
    private unowned let house: BotHouse
    private var position: ArchivePosition
    private var new = 0
    /// Whether the journal took no more, so that what was read since is to be read again.
    private var isBlocked = false

    private init(_ house: BotHouse, from position: ArchivePosition) {
        self.house = house
        self.position = position
    }

    /// The account is online: whatever comes from now on must not hide what came before.
    ///
    /// At the very first login nothing is read, unless `archive.onFirstLogin` says how far, and the place of the newest message
    /// is kept. A stream that goes on has lost nothing, and neither has a reading on it, unless that was an earlier process's.
    static func begin(in house: BotHouse, isResumed: Bool) {
        let known = house.ledger.archivePosition
        if isResumed {
            guard house.catchUp == nil, let known, known.isUnfinished else { return }
            return find(in: house) { CatchUp(house, from: known).read() }
        }
        let clock = house.loop.clock
        if var position = known {
            if position.state == .read { position.state = .catchingUp }
            house.ledger.setArchivePosition(position)
            find(in: house) { CatchUp(house, from: position).read() }
        } else if let age = house.archive.onFirstLogin {
            let position = ArchivePosition(after: nil, filedAt: clock - age, state: .history)
            house.ledger.setArchivePosition(position)
            find(in: house) { CatchUp(house, from: position).read() }
        } else {
            // Should this be cut off, the next session begins here.
            house.ledger.setArchivePosition(ArchivePosition(after: nil, filedAt: clock, state: .read))
            find(in: house) { noteNewest(in: house) }
        }
    }

    private static func find(in house: BotHouse, _ found: @escaping () -> Void) {
        house.isFindingArchive = true
        house.loop.findArchive { [unowned house] isThere in
            house.isFindingArchive = false
            switch isThere {
            case true?: found()
            case nil: break
            case false?: giveUp(in: house)
            }
        }
    }

    /// Nothing can be read, so nothing is to be gone on with.
    private static func giveUp(in house: BotHouse) {
        guard var position = house.ledger.archivePosition, position.isUnfinished else { return }
        if position.state == .history { position.filedAt = house.loop.clock }
        position.state = .read
        house.ledger.setArchivePosition(position)
    }

    private static func noteNewest(in house: BotHouse) {
        house.loop.readArchive(ArchiveRequest(.newest, limit: 1)) { [unowned house] report in
            guard case .page(let messages, let cursor?) = report else { return }
            house.ledger.setArchivePosition(
                ArchivePosition(after: cursor, filedAt: messages.last?.delay ?? house.loop.clock, state: .read))
        }
    }

    private func read() {
        house.catchUp = self
        let start: ArchiveReading.Start =
            if let id = position.after { .after(id, filedAt: position.filedAt) } else { .since(position.filedAt) }
        house.loop.readArchive(ArchiveRequest(start)) { [self] report in
            switch report {
            case .page(let messages, let cursor): take(messages, cursor)
            case .ended(let ending): ended(ending)
            }
        }
    }

    private func take(_ messages: [IncomingMessage], _ cursor: String?) {
        isBlocked = isBlocked || house.ledger.isFull
        guard !isBlocked else { return }
        let before = house.ledger.admitted
        for message in messages {
            // Before the first login nobody can have meant the bot.
            if position.state == .history, message.obstacle == .stale {
                _ = house.desk.file(message, reason: IncomingMessage.Obstacle.stale.rawValue, at: house.moment)
            } else {
                house.desk.received(message, at: house.moment)
            }
        }
        new += house.ledger.admitted - before
        isBlocked = house.ledger.isFull
        guard let cursor, !isBlocked else { return }
        position.after = cursor
        position.filedAt = messages.last?.delay ?? position.filedAt
        house.ledger.setArchivePosition(position)
    }

    private func ended(_ ending: ArchiveReading.Ending) {
        house.catchUp = nil
        let isOver: Bool
        switch ending {
        case .complete:
            isOver = true
            if new > 0 { house.log.info("archive", ArchivePhrases.caughtUp, ["messages": "\(new)"]) }
        case .limit:
            isOver = false
            house.log.warning("archive", ArchivePhrases.limit, ["messages": "\(new)"])
        case .silence:
            isOver = false
            house.log.info("archive", ArchivePhrases.cutOff, ["messages": "\(new)"])
        case .confused:
            isOver = true
            house.log.warning("archive", ArchivePhrases.confused, ["messages": "\(new)"])
        case .refused(let error):
            // What is only to be waited for is tried again with the next session.
            isOver = error.kind != .wait
            house.log.warning("archive", ArchivePhrases.refused, ["reason": error.condition.rawValue])
        }
        guard isOver, !isBlocked else { return }
        position.state = .read
        house.ledger.setArchivePosition(position)
    }
}
