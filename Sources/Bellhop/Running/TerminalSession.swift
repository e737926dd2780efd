internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXML
internal import BellhopXMPP
internal import Glibc

/// A conversation with the bot at the terminal: router, lanes and journal are real, server and account are not.
///
/// Who sits at the terminal is an admin, and can play others. The journal is a throw-away file.
struct TerminalSession {
    let bot: Bot
    let program: String
    /// Whose settings count; nil for those that a bot has without any.
    let configuration: Configuration?
    /// Who speaks at first; nil for the usual person.
    let person: JID?
    let log: Log

    private enum Input: Sendable {
        case line(String)
        case end
        /// Ctrl-C, or the terminal is gone: nobody waits for what still runs.
        case stop
        case desk(DeskInput)
    }

    func run() -> ExitCode {
        guard let folder = Self.makeFolder() else {
            log.error("chat", "cannot make a folder in \(Self.temporary); set TMPDIR to one that can be written")
            return .cannotCreate
        }
        defer { Self.remove(folder) }
        do {
            return try run(in: folder)
        } catch let error as JournalError {
            log.error("journal", JournalPhrases.sentence(error))
            return JournalPhrases.exitCode(error)
        } catch {
            log.error("chat", "\(error)")
            return .unavailable
        }
    }

    private func run(in folder: String) throws -> ExitCode {
        let account = try JID("\(program)@terminal")
        let usual = try JID(TerminalPerson.usual)
        let first = try TerminalPerson(person ?? usual)
        let journal = try Journal(path: folder + "/chat.db", accounts: [account.bareText], log: log)
        defer { journal.close(now: MonotonicClock.now()) }
        guard let number = journal.account(account.bareText) else { return .inputOutput }
        let wakeup = try Wakeup()
        let inbox = Inbox<Input>(wakeup: wakeup)
        let executor = LoopExecutor(wakeup: wakeup)
        let ledger = JournalLedger(journal: journal, account: number)
        let chat = TerminalChat(person: first.jid, queued: ledger.unsent)
        var settings = settings(account: account, usual: usual)
        settings.folder = folder
        settings.loopBrake = nil
        let cast = TerminalCast(settings, bot: bot, person: first)
        let desk = Desk(
            bot: bot, settings: cast.settings, ledger: ledger, chat: chat, inlineExecutor: executor, log: log,
            post: { inbox.post(.desk($0)) })
        try SignalWatch.start { _ in inbox.post(.stop) }
        try LoopThread.start("lines") {
            while let line = readLine(strippingNewline: true) { inbox.post(.line(line)) }
            inbox.post(.end)
        }
        if StandardStream.input.isTerminal {
            _ = StandardStream.error.write(TerminalPhrases.greeting(program))
        }
        if person != nil { tell(TerminalPhrases.speaks(cast.person, roles: cast.roles)) }
        converse(desk, ledger, chat, inbox, executor, Poller(wakeup: wakeup), cast)
        desk.close()
        return .success
    }

    private func settings(account: JID, usual: JID) -> DeskSettings {
        guard var configuration else {
            var settings = DeskSettings(account: account, admins: [usual])
            settings.program = program
            return settings
        }
        configuration.admins.append(usual)
        return configuration.deskSettings(program: program)
    }

    private func converse(
        _ desk: Desk, _ ledger: JournalLedger, _ chat: TerminalChat, _ inbox: Inbox<Input>, _ executor: LoopExecutor,
        _ poller: Poller, _ cast: TerminalCast
    ) {
        var cast = cast
        var hasEnded = false
        var count = 0
        prompt(desk, cast.person)
        while !(hasEnded && !desk.isBusy) {
            let deadline = [desk.nextDeadline, ledger.nextDeadline].compactMap { $0 }.min()
            _ = poller.wait(
                socket: nil, reading: false, writing: false, timeout: deadline.map { $0 - MonotonicClock.now() })
            let moment = Moment(now: MonotonicClock.now(), clock: Timestamp(milliseconds: WallClock.milliseconds()))
            let inputs = inbox.take()
            for input in inputs {
                switch input {
                case .line where hasEnded: break
                case .line(let text):
                    count += 1
                    let line = TerminalLine(text)
                    hasEnded = line == .quit
                    take(line, number: count, &cast, desk, chat, at: moment)
                case .end: hasEnded = true
                case .stop: return
                case .desk(let input): desk.received(input, at: moment)
                }
            }
            if let deadline = desk.nextDeadline, deadline <= moment.now { desk.timeReached(at: moment) }
            _ = executor.runPending()
            _ = ledger.commit(now: moment.now)
            desk.turnCommitted()
            ledger.departed(chat.leaving, isAcknowledged: false, now: moment.now)
            chat.print()
            if !hasEnded && !inputs.isEmpty { prompt(desk, cast.person) }
        }
        if StandardStream.input.isTerminal { _ = StandardStream.error.write("\n") }
    }

    private func take(
        _ line: TerminalLine, number: Int, _ cast: inout TerminalCast, _ desk: Desk, _ chat: TerminalChat,
        at moment: Moment
    ) {
        switch line {
        case .message(""), .quit: break
        case .message(let text):
            desk.received(Self.message(text, from: cast.person.jid, number: number), at: moment)
        case .become(let other):
            cast.person = other
            chat.person = other.jid
            tell(TerminalPhrases.speaks(cast.person, roles: cast.roles))
        case .roles(let names):
            if let unknown = cast.play(names) { return tell(TerminalPhrases.noSuchRole(unknown, known: cast.known)) }
            desk.apply(cast.settings, bot: bot, at: moment)
            tell(TerminalPhrases.speaks(cast.person, roles: cast.roles))
        case .who: tell(TerminalPhrases.speaks(cast.person, roles: cast.roles))
        case .help: tell(TerminalPhrases.help)
        case .notAnAddress, .nobody, .takesNothing, .unknown: TerminalPhrases.trouble(line).map(tell)
        }
    }

    /// Nothing is prompted while a command works, nor where nobody sits at the keyboard.
    private func prompt(_ desk: Desk, _ person: TerminalPerson) {
        if StandardStream.input.isTerminal, !desk.isBusy { tell(TerminalPhrases.prompt(person)) }
    }

    private func tell(_ text: String) { _ = StandardStream.error.write(text) }

    private static func message(_ text: String, from person: JID, number: Int) -> IncomingMessage {
        let stanza = Element("message", namespace: Namespace.client)
            .with("from", person.description).with("type", "chat").with("id", "line-\(number)")
            .with(Element("body", namespace: Namespace.client).with(text: text))
        var message = IncomingMessage(stanza: stanza, type: .chat)
        message.sender = person
        message.id = "line-\(number)"
        message.body = text
        message.text = text
        return message
    }

    private static var temporary: String { SystemSurroundings().variable("TMPDIR") ?? "/tmp" }

    private static func makeFolder() -> String? {
        SystemFile.makeTemporaryFolder(in: temporary, prefix: "bellhop-chat-")
    }

    private static func remove(_ folder: String) { SystemFile.removeFolder(folder) }
}
