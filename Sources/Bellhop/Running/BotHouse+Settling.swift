internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopXMPP

/// Replies whose fate is unknown, because the last session ended without a word of the server about them.
///
/// The archive is read with each of their persons: what is in it arrived, everything else is sent again under the same id. A
/// server that has no archive, or does not answer, leaves that as the only way.
extension BotHouse {
    /// How many persons are asked about at the same time.
    private static let sideBySide = 4
    /// How far the archive of one person is read at most.
    private static let depth = 10_000

    /// A new session has begun: holds back what is to be sent to persons with whom something is uncertain, until it is known.
    func settleUnsent() {
        let queued = chat.stillQueued
        // What came back is in the archive, too: there it says nothing of the second try.
        uncertainRows.formIntersection(queued.map(\.row).filter { !ledger.isRequeued($0) })
        let people = Set(queued.filter { uncertainRows.contains($0.row) }.map(\.message.to.bareText))
        chat.settling = Settling(queued.filter { people.contains($0.message.to.bareText) })
        guard !chat.settling.isOver else { return }
        loop.findArchive { [unowned self] isThere in
            guard isThere == true, loop.isOnline else { return sendAgain() }
            loop.whenTimeIsKnown { [unowned self] in
                let offset = loop.serverTime.map { $0 - loop.clock } ?? .zero
                for _ in 0..<Self.sideBySide { settleNext(offset) }
            }
        }
    }

    /// `offset` is how far the server's clock is ahead of ours.
    private func settleNext(_ offset: Duration) {
        guard loop.isOnline else { return sendAgain() }
        guard let (peer, uncertain) = chat.settling.next() else { return }
        let start = beginning(of: uncertain, offset)
        loop.readArchive(ArchiveRequest(start, with: peer, limit: Self.depth)) { [unowned self] report in
            switch report {
            case .page(let messages, _):
                for message in messages where message.sender?.bareText == loop.settings.jid.bareText {
                    for id in [message.id, message.originID] {
                        if let id { chat.settling.found(id, with: peer.bareText) }
                    }
                }
            case .ended(.silence): sendAgain()
            case .ended:
                settled(peer.bareText)
                settleNext(offset)
            }
        }
    }

    /// Behind the message that was answered, about which no clock can be wrong; else a minute before the first was queued.
    private func beginning(of uncertain: [Settling.Waiting], _ offset: Duration) -> ArchiveReading.Start {
        let queued = uncertain.first?.message.delay ?? loop.clock
        // Our clock may have been set since then: what it is off by now says little of what it was off by.
        let moment = min(queued, queued + offset)
        guard let id = ledger.archiveID(answeredBy: uncertain.map(\.row)) else {
            return .since(moment - ArchiveReading.overlap)
        }
        return .after(id, filedAt: moment)
    }

    private func settled(_ peer: String) {
        guard let conversation = chat.settling.end(peer) else { return }
        let lost = conversation.uncertain.filter { !conversation.found.contains($0.message.id) }
        let arrived = conversation.uncertain.filter { conversation.found.contains($0.message.id) }
        if !arrived.isEmpty { departed(arrived.map(\.row), isAcknowledged: true, now: loop.now) }
        log.debug(
            "settled", ArchivePhrases.settled,
            [
                "peer": peer, "arrived": "\(arrived.count)", "again": "\(lost.count)",
            ])
        send(lost, conversation.later, isSpilled: conversation.isSpilled)
    }

    /// Without an archive to look into, everything is sent again, under the same ids.
    private func sendAgain() {
        let (uncertain, later, isSpilled) = chat.settling.endAll()
        send(uncertain, later, isSpilled: isSpilled)
    }

    /// During a pause only what the desk itself has said since leaves.
    private func send(
        _ lost: [Settling.Waiting], _ later: [Settling.Waiting], isSpilled: Bool
    ) {
        for waiting in (desk.isPaused ? [] : lost) + later {
            // Somebody may have given it up meanwhile.
            guard ledger.outgoing(waiting.row) != nil else { continue }
            // What the server would not take whole is said again in parts.
            if chat.splits(waiting.row, waiting.message) { continue }
            chat.send(waiting.message, row: waiting.row)
        }
        if isSpilled, !desk.isPaused { chat.sendQueued() }
        chat.sortLeaving()
        let ready = afterSettling.filter { !chat.settling.isHeld($0.peer) }
        guard !ready.isEmpty else { return }
        afterSettling.removeAll { !chat.settling.isHeld($0.peer) }
        for waiting in ready { waiting.work() }
    }

    /// Does this when what is said to a person leaves at once: now, or after what waits for them.
    func whenSettled(with person: JID, _ work: @escaping () -> Void) {
        guard chat.settling.isHeld(person.bareText) else { return work() }
        afterSettling.append((person.bareText, work))
    }
}
