internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// What the commands beside a running bot and `check --online` say to the person at the command line.
enum ErrandPhrases {
    /// Why it was not done; nil where it was.
    static func trouble(_ outcome: ErrandOutcome, bot: String) -> String? {
        switch outcome {
        case .answered(.failed(let failure)): sentence(failure)
        case .answered: nil
        case .ended(let ending): reason(ending)
        case .journal(.alreadyRunning(let path, let pid)):
            "\(bot) is running" + (pid.map { " (process \($0))" } ?? "")
                + " and does not listen at \(ControlServer.path(journal: path)); its log says why, or it has just "
                + "started: try again"
        case .journal(let error): JournalPhrases.sentence(error)
        case .notRunning(let socket):
            "\(bot) is not running: nobody listens at \(socket). Start it with \(bot) run; if it runs with another "
                + "configuration, name that with --config."
        case .unreachable(let fault): sentence(fault, bot: bot)
        case .silent(let process, let mayHappen): silent(process, mayHappen: mayHappen)
        case .machine(let reason): "The machine does not give what is needed: \(reason)"
        case .interrupted: "Stopped before it was done."
        }
    }

    /// A process that hangs, or was stopped like one in a debugger, goes on with what it has begun.
    static func silent(_ process: Int32?, mayHappen: Bool) -> String {
        "The bot\(process.map { " (process \($0))" } ?? "") did not answer in time"
            + (mayHappen ? "; what was asked may still be done, so look before you try again. " : ". ")
            + "If it is stopped, kill -CONT \(process.map(String.init) ?? "and its number") lets it go on; its log may say more."
    }

    static func reason(_ ending: AccountEnding) -> String {
        switch ending {
        case .stopped: "Stopped before it was done."
        case .loginRefused(let reason), .registrationRefused(let reason), .conflict(let reason), .failed(let reason):
            reason
        }
    }

    static func sentence(_ failure: ControlFailure) -> String {
        switch failure {
        case .notConnected(let reason):
            "The bot is running and has no connection" + (reason.map { " (\(VisibleText.oneLine($0)))" } ?? "")
                + "; nothing was done. Try again when it is back."
        case .bounced(let reason): "The message came back: \(VisibleText.oneLine(reason))."
        case .refused(let reason): "The server refused: \(VisibleText.oneLine(reason))."
        case .noAnswer:
            "The server did not say in time that it has done it; it may have. Look before you try again."
        case .noArchive:
            "The server keeps no archive for this account, so there is nothing to fetch."
        case .journalFull:
            "The journal takes nothing any more, so this holds until a restart at most; make room on its disk. The bot's log says more."
        case .journalFailed(let reason): VisibleText.oneLine(reason)
        case .logInUse: CarePhrases.logInUse
        case .noSuchContact(let jid): "\(jid) is not in the roster."
        case .noSuchRequest: "No such request is waiting; the command requests lists those that are."
        case .alreadyAnswered(let number, let accepted, let by):
            "Request \(number) was already \(accepted ? "accepted" : "denied") by \(VisibleText.oneLine(by))."
        case .busy: "The bot has its hands full with other commands; try again."
        case .anotherAccount(let own, let named):
            "Nothing was done: the bot with this journal is \(own.bareText), and this configuration is that of "
                + "\(named.bareText). Name the bot's own with --config, or give each bot a journal.path of its own."
        case .noAccount(let own):
            "Nothing was done: the bot with this journal is \(own.bareText), and whether this configuration is its own cannot be "
                + "read, so it is good for looking and for pause only. The command check lists its mistakes."
        case .notUnderstood(let reason):
            "The bot and this command do not understand each other (\(VisibleText.oneLine(reason))); "
                + "are they of the same version? Restart the bot after an upgrade."
        }
    }

    static func sentence(_ fault: LocalFault, bot: String) -> String {
        switch fault {
        case .forbidden(let path):
            "\(path) belongs to another user; run this command as the user that \(bot) runs as, or as root."
        case .closed: "The bot ended before it answered; it may have done what was asked. Look before you try again."
        case .timedOut: silent(nil, mayHappen: true)
        case .pathTooLong, .notASocket, .openFolder, .nobody, .tooLarge, .system:
            "The running bot cannot be reached: \(fault)."
        }
    }

    // MARK: What was done

    static func added(_ jid: JID) -> String { "\(jid) is in the roster.\n" }

    static func removed(_ jid: JID) -> String { "\(jid) is no longer in the roster.\n" }

    static func answered(_ rows: [RequestRow], accepted: Bool) -> String {
        rows.map { "Request \($0.number) (\(VisibleText.oneLine($0.jid))) \(accepted ? "accepted" : "denied").\n" }
            .joined()
    }

    /// What is said once where a command needs no more of a broken configuration.
    static func onlyJournalRead(_ report: ConfigurationReport, bot: String, account: JID? = nil) -> String {
        "\(report.file ?? "The configuration") is wrong; \(bot) check lists what. Only the place of the journal"
            + (account == nil ? " was" : " and the account were") + " taken from it."
    }

    static let paused =
        "Paused: no handler runs and no answer leaves until resume, not after a restart either. What people write is logged.\n"

    static func alreadyPaused(_ since: Timestamp, by who: String, offset: Int) -> String {
        "It was paused already, since \(MomentText.show(since, offset: offset)), by \(VisibleText.oneLine(who)).\n"
    }

    static func resumed(run: Int, late: Int) -> String {
        guard run + late > 0 else { return "Resumed.\n" }
        return "Resumed. Commands that waited: \(run) run now, \(late) waited for too long and are not run.\n"
    }

    static func fetched(_ jid: JID, new: Int, known: Int, isWhole: Bool) -> String {
        let count = "\(new) \(new == 1 ? "message" : "messages") with \(jid) new in the log, \(known) already there.\n"
        return isWhole ? count : count + "There is more than is read at once; fetch a shorter time, like --since 1d.\n"
    }

    static func fetchedJSON(_ jid: JID, new: Int, known: Int, isWhole: Bool) -> String {
        JSONText.object([
            ("peer", JSONText.string(jid.bareText)), ("new", "\(new)"), ("known", "\(known)"), ("whole", "\(isWhole)"),
        ]) + "\n"
    }

    static let notPaused = "It was not paused.\n"

    static func resetLogin(_ mechanism: String?) -> String {
        guard let mechanism else {
            return
                "No server has proved for this account yet that it knows the password; a token of an earlier login is forgotten.\n"
        }
        return
            "Reset: after a login with \(VisibleText.oneLine(mechanism)) PLAIN was not used any more; the next login may use "
            + "whatever the configuration allows.\n"
    }

    static func notRunningJSON(socket: String) -> String {
        JSONText.object([("state", JSONText.string("not-running")), ("socket", JSONText.string(socket))])
    }

    static func presenceUnknown(bot: String) -> String {
        "Who is online is not known, because \(bot) is not running."
    }

    // MARK: check --online

    static func step(_ step: OnlineCheck.Step) -> String {
        switch step {
        case .connected(let address, let port, let time):
            "connected to \(address) port \(port) in \(milliseconds(time))\n"
        case .loggedIn(let login, let time):
            "logged in as \(login.bound) with \(login.tls ?? "no encryption") and \(login.mechanism) "
                + "in \(milliseconds(time))\n"
        case .messageCameBack(let time): "a message to itself came back in \(milliseconds(time))\n"
        }
    }

    static let works = "The bot can work with this.\n"

    /// Why it did not work; nil where it did.
    static func trouble(_ outcome: OnlineCheck.Outcome) -> String? {
        switch outcome {
        case .worked: nil
        case .interrupted: "Stopped before it was done."
        case .bounced(let reason): "The message to itself came back as an error: \(VisibleText.oneLine(reason))."
        case .lost(let limit):
            "The message to itself did not come back within \(limit.components.seconds) seconds; "
                + "the server's log may say why."
        case .ended(let ending): reason(ending)
        case .machine(let reason): "The machine does not give what is needed: \(reason)"
        }
    }

    private static func milliseconds(_ time: Duration) -> String {
        let parts = time.components
        return "\(parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000) ms"
    }

    // MARK: What cannot be read

    static let notText = "Standard input is no UTF-8 text."

    static func textTooLong(limit: Int) -> String { "The text is longer than \(limit) bytes; send it in parts." }

    static func unreadable(_ file: String, _ reason: String) -> String { "\(file): \(reason)." }

    static func noAddress(_ file: String, line: Int, _ text: String, _ error: JIDError) -> String {
        let shown = VisibleText.oneLine(text)
        return "\(file):\(line): \"\(shown.count > 80 ? shown.prefix(80) + "…" : shown[...])\" is no address: \(error)."
    }

    // MARK: In the bot's log

    /// Why other commands cannot talk to the bot, which runs all the same.
    static func cannotListen(_ fault: LocalFault) -> String {
        "The commands that talk to a running bot, like status and send, cannot reach this one: \(fault)"
            + (isPlace(fault) ? "; another journal.path helps" : "")
    }

    private static func isPlace(_ fault: LocalFault) -> Bool {
        switch fault {
        case .pathTooLong, .notASocket, .openFolder, .forbidden: true
        case .nobody, .tooLarge, .closed, .timedOut, .system: false
        }
    }
}
