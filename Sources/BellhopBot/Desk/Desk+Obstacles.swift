internal import BellhopDiagnostics
internal import BellhopXML
internal import BellhopXMPP

/// Messages from which nothing runs: what is logged of them, and who is told.
extension Desk {
    func receivedWithObstacle(_ message: IncomingMessage, at moment: Moment) {
        guard let obstacle = message.obstacle else {
            // A live message from a server, without a sender or without a text: nothing runs, nobody is answered.
            record(message, reason: "no person", at: moment)
            return
        }
        switch obstacle {
        case .error:
            bounced(message, at: moment)
        case .noBody:
            receivedPayload(message, at: moment)
        case .forgedCarbon:
            log.warning(
                "forged", "A forged carbon copy was dropped.", ["from": message.sender?.description ?? "nobody"])
        case .encrypted:
            guard let job = record(message, reason: obstacle.rawValue, at: moment), isAnswerable(message),
                encryptionNotices.allows(job.peer, now: moment.now)
            else { return }
            send(Reply(text: Phrases.encrypted, payloads: []), to: job, ordinal: 0, at: moment)
        case .correction:
            guard let job = record(message, reason: obstacle.rawValue, at: moment) else { return }
            if isAnswerable(message), isForCommand(message) { notify(job, Phrases.correction, at: moment) }
        case .stale:
            guard let job = record(message, reason: obstacle.rawValue, at: moment) else { return }
            if isAnswerable(message), isForCommand(message), lateNotices.allows(job.peer, now: moment.now) {
                notify(job, Phrases.stale(message.text ?? ""), at: moment)
            }
        case .headline, .groupchat, .own, .noSender, .domainSender, .carbon, .archive, .emptyBody, .reaction,
            .retraction:
            record(message, reason: obstacle.rawValue, at: moment)
        }
    }

    /// Writes the one row of a message that is not run; nil for a duplicate, and for one without a body.
    @discardableResult
    private func record(_ message: IncomingMessage, reason: String, at moment: Moment) -> Job? {
        guard message.body != nil else { return nil }
        let (peer, isOwn) = otherSide(of: message)
        let record = IncomingRecord(peer: peer, isOwn: isOwn, state: .declined, reason: reason)
        guard case .new(let row) = ledger.admit(message, record, at: moment.clock) else { return nil }
        log.debug("not run", "Nothing runs from this message.", ["peer": peer.bareText, "reason": reason])
        return Job(row: row, message: message, sender: message.sender ?? peer, peer: peer)
    }

    /// The other side of the conversation: whoever wrote, or to whom our own account wrote from another device.
    func otherSide(of message: IncomingMessage) -> (peer: JID, isOwn: Bool) {
        guard let sender = message.sender?.bare else { return (account, false) }
        guard sender == account else { return (sender, false) }
        let to = message.stanza["to"].flatMap { try? JID($0) }
        return (to?.bare ?? account, true)
    }

    /// Only persons in direct chats are told why nothing ran; never an own device, a server or a room.
    private func isAnswerable(_ message: IncomingMessage) -> Bool {
        guard let sender = message.sender, sender.hasLocal, sender.bare != account else { return false }
        return message.type == .chat || message.type == .normal
    }

    /// Whether something would have run from it; nobody is told of chat that would have met no ear.
    private func isForCommand(_ message: IncomingMessage) -> Bool {
        guard let text = message.text, let sender = message.sender, text.utf8.count <= settings.textLimit else {
            return false
        }
        switch router.route(text) {
        case .command(let place, _): return access(of: sender).mayRun(commands[place])
        case .builtin(let builtin, _): return access(of: sender).mayRun(builtin)
        case .otherwise: return otherwise.map { access(of: sender).mayRun($0) } ?? false
        case .unknown, .nothing: return false
        }
    }

    /// A message without a body: chat states and other signals leave no trace, anything else goes to `OnMessage`.
    private func receivedPayload(_ message: IncomingMessage, at moment: Moment) {
        guard let sender = message.sender, sender.hasLocal, sender.bare != account,
            message.type == .chat || message.type == .normal, message.payloads.contains(where: Self.isPayload)
        else { return }
        let peer = sender.bare
        guard case .new(let row) = ledger.admit(message, IncomingRecord(peer: peer), at: moment.clock) else { return }
        take(Job(row: row, message: message, sender: sender, peer: peer), at: moment)
    }

    /// Rich text does not stand in for a missing body, and a room's or a card's note says nothing to a bot.
    private static func isPayload(_ element: Element) -> Bool {
        switch element.namespace {
        case "http://jabber.org/protocol/xhtml-im", "http://jabber.org/protocol/muc#user", "vcard-temp:x:update",
            "http://jabber.org/protocol/nick":
            false
        default:
            true
        }
    }

    /// An error came back for a message of ours: never answered, only noted with the row that it is about.
    private func bounced(_ message: IncomingMessage, at moment: Moment) {
        guard let id = message.id, let from = message.sender else { return }
        let error = message.error
        var reason = error?.condition.rawValue ?? "undefined-condition"
        if let text = error?.text, !text.isEmpty { reason += ": " + text.prefix(200) }
        guard let row = ledger.markFailed(id: id, peer: from.bare, reason: reason, at: moment.clock) else {
            log.debug("stray error", "An error came for no message of ours.", ["from": from.bareText])
            return
        }
        if let error, wasTooLarge(row, error, message.stanza, at: moment) { return }
        outgoing.settle(row, .failed(reason))
        occurred(.messageFailed(MessageFailed(to: from.bare, id: id, reason: reason)), at: moment)
    }
}
