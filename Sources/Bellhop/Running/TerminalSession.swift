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
/// The person at the terminal may run everything. The journal is a throw-away file.
struct TerminalSession {
    let bot: Bot
    /// Its commands and their limits count here; nil for those of a bot without a configuration.
    let configuration: Configuration?
    let program: String
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
            return try run(journalPath: folder + "/chat.db")
        } catch let error as JournalError {
            log.error("journal", JournalPhrases.sentence(error))
            return JournalPhrases.exitCode(error)
        } catch {
            log.error("chat", "\(error)")
            return .unavailable
        }
    }

    private func run(journalPath: String) throws -> ExitCode {
        let account = try JID("\(program)@terminal")
        let person = try JID("you@terminal/tty")
        let journal = try Journal(path: journalPath, accounts: [account.bareText], log: log)
        defer { journal.close(now: MonotonicClock.now()) }
        guard let number = journal.account(account.bareText) else { return .inputOutput }
        let wakeup = try Wakeup()
        let inbox = Inbox<Input>(wakeup: wakeup)
        let executor = LoopExecutor(wakeup: wakeup)
        let chat = TerminalChat(person: person)
        let ledger = JournalLedger(journal: journal, account: number)
        var settings = DeskSettings(account: account, admins: [person.bare])
        settings.program = program
        if let commands = configuration?.commands {
            settings.prefix = commands.prefix
            settings.handlerLimit = commands.timeout
            settings.textLimit = commands.inputLimit
        }
        settings.loopBrake = nil
        let desk = Desk(
            bot: bot, settings: settings, ledger: ledger, chat: chat, inlineExecutor: executor, log: log,
            post: { inbox.post(.desk($0)) })
        try SignalWatch.start { _ in inbox.post(.stop) }
        try LoopThread.start("lines") {
            while let line = readLine(strippingNewline: true) { inbox.post(.line(line)) }
            inbox.post(.end)
        }
        if StandardStream.input.isTerminal {
            _ = StandardStream.error.write(
                "You are talking to \(program). Type help to see what it can do, Ctrl-D to leave.\n")
        }
        converse(desk, ledger, chat, inbox, executor, Poller(wakeup: wakeup), person)
        desk.close()
        return .success
    }

    private func converse(
        _ desk: Desk, _ ledger: JournalLedger, _ chat: TerminalChat, _ inbox: Inbox<Input>, _ executor: LoopExecutor,
        _ poller: Poller, _ person: JID
    ) {
        var hasEnded = false
        var count = 0
        prompt(desk)
        while !(hasEnded && !desk.isBusy) {
            let deadline = [desk.nextDeadline, ledger.nextDeadline].compactMap { $0 }.min()
            _ = poller.wait(
                socket: nil, reading: false, writing: false, timeout: deadline.map { $0 - MonotonicClock.now() })
            let moment = Moment(now: MonotonicClock.now(), clock: Timestamp(milliseconds: WallClock.milliseconds()))
            let inputs = inbox.take()
            for input in inputs {
                switch input {
                case .line(let text):
                    count += 1
                    if !text.isEmpty { desk.received(Self.message(text, from: person, number: count), at: moment) }
                case .end: hasEnded = true
                case .stop: return
                case .desk(let input): desk.received(input, at: moment)
                }
            }
            if let deadline = desk.nextDeadline, deadline <= moment.now { desk.timeReached(at: moment) }
            _ = executor.runPending()
            _ = ledger.commit(now: moment.now)
            desk.turnCommitted()
            chat.print()
            if !hasEnded && !inputs.isEmpty { prompt(desk) }
        }
        if StandardStream.input.isTerminal { _ = StandardStream.error.write("\n") }
    }

    /// Nothing is prompted while a command works, nor where nobody sits at the keyboard.
    private func prompt(_ desk: Desk) {
        if StandardStream.input.isTerminal, !desk.isBusy { _ = StandardStream.error.write("> ") }
    }

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
