internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// `log list` and `log show`: reads the journal, while the bot may be running.
extension BotProgram {
    func read(_ verb: Invocation.LogVerb, _ invocation: Invocation) -> ExitCode {
        withJournal(invocation) { reader throws(JournalError) in try read(verb, reader) }
    }

    /// Opens the journal for reading, for which no password is needed, and nothing else of the configuration.
    func withJournal(
        _ invocation: Invocation, _ work: (JournalReader) throws(JournalError) -> ExitCode
    ) -> ExitCode {
        let loader = ConfigurationLoader(bot: name, surroundings: surroundings, needsPassword: false)
        let path: String
        switch loader.load(file: invocation.configuration) {
        case .success(let loaded): path = loaded.configuration.journal.path
        case .failure(let report):
            guard let journal = report.journal, SystemFile.exists(journal) else { return refuse(report) }
            complain(ErrandPhrases.onlyJournalRead(report, bot: name))
            path = journal
        }
        do throws(JournalError) {
            guard SystemFile.exists(path) else {
                complain(CarePhrases.noJournal(path))
                return .success
            }
            return try work(try JournalReader(path: path))
        } catch {
            complain(JournalPhrases.sentence(error))
            return .inputOutput
        }
    }

    private func read(_ verb: Invocation.LogVerb, _ reader: JournalReader) throws(JournalError) -> ExitCode {
        switch verb {
        case .list(let json):
            let rows = try reader.conversations().map(ConversationRow.init)
            return say(json ? LogRendering.listJSON(rows) : LogRendering(utc: false).list(rows))
        case .show(let peer, let selection): return try show(peer.bareText, selection, reader)
        }
    }

    private func show(
        _ peer: String, _ selection: Invocation.LogSelection, _ reader: JournalReader
    ) throws(JournalError) -> ExitCode {
        let since = selection.since.map { Timestamp(milliseconds: WallClock.milliseconds()) - $0 }
        let newest = try reader.newest()
        let messages = try reader.messages(with: peer, last: selection.last, since: since)
        if messages.isEmpty && !selection.follow { complain("Nothing was said with \(peer) in that time.") }
        let printed = say(text(messages, selection))
        guard printed == .success, selection.follow else { return printed }
        return try follow(peer, selection, reader, after: max(newest, messages.last?.row ?? newest))
    }

    /// How often a followed journal is looked at; another process writes it, and nobody tells this one.
    private static let glance: Duration = .milliseconds(250)

    private func follow(
        _ peer: String, _ selection: Invocation.LogSelection, _ reader: JournalReader, after row: BellhopJournal.RowID
    ) throws(JournalError) -> ExitCode {
        guard let wakeup = try? Wakeup(), (try? SignalWatch.start { _ in wakeup.ring() }) != nil else {
            return .inputOutput
        }
        let poller = Poller(wakeup: wakeup)
        var last = row
        var version = try reader.version()
        while !poller.wait(socket: nil, reading: false, writing: false, timeout: Self.glance).woken {
            let current = try reader.version()
            guard current != version else { continue }
            version = current
            let messages = try reader.messages(after: last, with: peer, limit: 1000)
            last = messages.last?.row ?? last
            guard say(text(messages, selection)) == .success else { return .inputOutput }
        }
        return .success
    }

    private func text(_ messages: [StoredMessage], _ selection: Invocation.LogSelection) -> String {
        var rows = messages.map(MessageRow.init)
        // That a reply has left is stored within a second; until then the row says only that it is on its way.
        let moment = Timestamp(milliseconds: WallClock.milliseconds()) - .seconds(2)
        for index in rows.indices where rows[index].state == "queued" && rows[index].time > moment {
            rows[index].state = "leaving"
        }
        if selection.json { return rows.map(LogRendering.messageJSON).joined() }
        let rendering = LogRendering(utc: selection.utc)
        return rows.map(rendering.message).joined()
    }
}

extension ConversationRow {
    fileprivate init(_ conversation: JournalReader.Conversation) {
        self.init(
            peer: conversation.peer, count: conversation.count,
            last: conversation.last.sentAt ?? conversation.last.receivedAt,
            lastLine: conversation.last.body, direction: LogDirection(conversation.last.direction))
    }
}

extension MessageRow {
    fileprivate init(_ message: StoredMessage) {
        self.init(
            number: message.row.number, time: message.sentAt ?? message.receivedAt,
            direction: LogDirection(message.direction),
            body: message.body, length: message.fullLength, state: "\(message.state)", reason: message.reason)
    }
}

extension LogDirection {
    fileprivate init(_ direction: Direction) {
        switch direction {
        case .incoming: self = .incoming
        case .outgoing: self = .outgoing
        }
    }
}
