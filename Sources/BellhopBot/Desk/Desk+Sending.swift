internal import BellhopDiagnostics
internal import BellhopXML
package import BellhopXMPP

/// What goes out: answers, notices, and what the bot says unasked.
extension Desk {
    /// Answers a message: to the full address that wrote, same type, same thread. An empty answer sends nothing.
    @discardableResult
    func send(_ reply: Reply, to job: Job, ordinal: Int, state: ChatState? = nil, at moment: Moment) -> Written? {
        guard !reply.isEmpty else { return nil }
        var message = OutgoingMessage(
            to: job.sender, type: job.message.type, id: "", thread: job.message.thread,
            body: reply.text.isEmpty ? nil : reply.text, payloads: reply.payloads)
        message.chatState = state
        let written = write(
            message, answering: job.row == Self.noRow ? nil : job.row, ordinal: ordinal, at: moment)
        brake?.sent(reply.text, to: job.peer, now: moment.now)
        return written
    }

    /// Sends a message that answers nothing; one that is held is queued, and leaves when the pause is over.
    @discardableResult
    func send(
        _ text: String, to: JID, payloads: [Element] = [], type: MessageType = .chat, isHeld: Bool = false,
        at moment: Moment
    ) -> Written {
        let written = write(
            OutgoingMessage(to: to, type: type, id: "", body: text.isEmpty ? nil : text, payloads: payloads),
            answering: nil, ordinal: 0, isHeld: isHeld, at: moment)
        brake?.sent(text, to: to.bare, now: moment.now)
        return written
    }

    /// What became of a message: its row, or the first of them, and how many messages left for it; none where it was too
    /// large to be sent at all.
    struct Written {
        var row: RowID
        var parts = 1
    }

    private func write(
        _ message: consuming OutgoingMessage, answering row: RowID?, ordinal: Int, isHeld: Bool = false,
        at moment: Moment
    ) -> Written {
        guard stanzaLimits.hold(message) else {
            return writeParts(of: message, answering: row, ordinal: ordinal, isHeld: isHeld, at: moment)
        }
        return writeWhole(message, answering: row, ordinal: ordinal, isHeld: isHeld, at: moment)
    }

    func writeWhole(
        _ message: consuming OutgoingMessage, answering row: RowID?, ordinal: Int, isHeld: Bool, at moment: Moment
    ) -> Written {
        let queued = ledger.queue(message, answering: row, ordinal: ordinal, at: moment.clock)
        message.id = queued.id
        if !isHeld && !queued.isRepeated { chat.send(message, row: queued.row) }
        return Written(row: queued.row)
    }

    /// Says a sentence to each admin; it waits in the ledger while the bot is offline.
    package func tellAdmins(_ sentence: String, except person: JID? = nil, at moment: Moment) {
        for admin in settings.permissions.admins where admin != person { send(sentence, to: admin, at: moment) }
    }

    /// Sends a message for the operator, a pause or not; nil when the ledger takes nothing more, and then nothing is sent.
    package func say(_ text: String, to: JID, at moment: Moment) -> Sent? {
        let sent = Sent(to: to, text: text, payloads: [], type: .chat)
        return send(sent, isHeld: false, at: moment) ? sent : nil
    }

    private func send(_ sent: Sent, isHeld: Bool, at moment: Moment) -> Bool {
        guard !ledger.isFull else { return false }
        let written = send(
            sent.text, to: sent.to, payloads: sent.payloads, type: sent.type, isHeld: isHeld, at: moment)
        if written.parts == 0 { sent.settle(.failed(Self.tooLarge)) }
        outgoing.track(sent, row: written.row)
        unconfirmed.append(sent)
        return true
    }

    func asked(_ request: BotRequest, at moment: Moment) {
        switch request.kind {
        case .send(let sent):
            if !send(sent, isHeld: isPaused, at: moment) { sent.journalled.settle(.failure(.journalFull)) }
        case .presence(let show, let status):
            present(Availability(show: show, status: status, priority: presence.priority))
        case .contacts(let answer):
            answer.settle(.success(chat.contacts))
        case .add(let jid, let name, let groups):
            chat.setContact(jid, name: name, groups: groups)
            if !seesOrAsked(jid) { chat.subscribe(jid) }
        case .remove(let jid):
            chat.removeContact(jid)
        }
    }

    /// Whether we see the person's presence already or have asked to.
    func seesOrAsked(_ jid: JID) -> Bool {
        guard let item = chat.rosterItem(jid) else { return false }
        return item.ask || item.subscription == .to || item.subscription == .both
    }

    /// Whether an event or a log line comes of each message that is sent; where not, `messagesSent` is enough.
    package var hearsOfSent: Bool { !bot.eventHandlers.isEmpty || log.isOn(.debug) }

    /// The server has a message of ours; the house calls it for every message it knows to be sent.
    package func messageSent(_ row: RowID, to: JID, id: String, at moment: Moment) {
        outgoing.settle(row, .sent)
        occurred(.messageSent(MessageSent(to: to, id: id)), at: moment)
    }

    /// The server has these messages of ours, and nobody hears of events.
    package func messagesSent(_ rows: [RowID]) {
        guard !outgoing.isEmpty else { return }
        for row in rows { outgoing.settle(row, .sent) }
    }
}
