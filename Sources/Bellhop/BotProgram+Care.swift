internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP
internal import Synchronization

/// `backup`, `restore` and `log forget`: the care of the journal, for which nobody has to log in.
extension BotProgram {
    /// Hands the configuration on as far as it says where the journal is; 78 with every problem when it is wrong.
    func withoutPassword(_ invocation: Invocation, _ work: (Configuration) -> ExitCode) -> ExitCode {
        let loader = ConfigurationLoader(bot: name, surroundings: surroundings, needsPassword: false)
        switch loader.load(file: invocation.configuration) {
        case .failure(let report): return refuse(report)
        case .success(let loaded): return work(loaded.configuration)
        }
    }

    /// Says all that is wrong with a configuration.
    func refuse(_ report: ConfigurationReport) -> ExitCode {
        for line in report.lines { complain(line) }
        return .configuration
    }

    // MARK: Copies

    func backUp(to file: String, force: Bool, _ invocation: Invocation) -> ExitCode {
        withoutPassword(invocation) { configuration in
            let stop = StopSwitch()
            do throws(CopyError) {
                let contents = try JournalBackup(journal: configuration.journal.path).write(
                    to: file, replacing: force, while: { !stop.isThrown })
                return say(CarePhrases.madeBackup(file, contents))
            } catch {
                complain(CarePhrases.backupTrouble(error))
                return CarePhrases.backupCode(error)
            }
        }
    }

    func restore(from file: String, _ invocation: Invocation) -> ExitCode {
        withoutPassword(invocation) { configuration in
            let journal = configuration.journal.path
            do throws(CopyError) {
                let outcome = try JournalRestore(journal: journal).run(from: file)
                return say(
                    CarePhrases.restored(outcome, journal: journal, account: configuration.account.jid.bareText))
            } catch {
                complain(CarePhrases.restoreTrouble(error, file: file))
                return CarePhrases.restoreCode(error)
            }
        }
    }

    // MARK: Forgetting

    func forget(_ person: JID, _ invocation: Invocation) -> ExitCode {
        withoutPassword(invocation) { configuration in
            let path = configuration.journal.path
            guard SystemFile.exists(path) else {
                complain(CarePhrases.noJournal(path))
                return .success
            }
            let outcome =
                Errand.beside(.forget(person), journal: path, account: configuration.account.jid)
                ?? forgetAlone(person, configuration)
            if let trouble = ErrandPhrases.trouble(outcome, bot: name) { complain(trouble) }
            guard case .answered(.forgotten(let messages, let others)) = outcome else { return outcome.exitCode }
            let copies = JournalFiles.copies(
                of: path, backups: configuration.backupFolder, name: configuration.backupName)
            return say(CarePhrases.forgotten(person, messages: messages, others: others, copies: copies))
        }
    }

    private func forgetAlone(_ person: JID, _ configuration: Configuration) -> ErrandOutcome {
        do throws(JournalError) {
            let journal = try Journal(
                path: configuration.journal.path, accounts: [configuration.account.jid.bareText],
                options: configuration.journalOptions, log: .silent)
            defer { journal.close(now: MonotonicClock.now()) }
            guard let last = journal.beginForgetting(person.bareText, now: MonotonicClock.now()) else {
                return .answered(.failed(.journalFull))
            }
            let caretaker = Caretaker(of: journal, keep: nil)
            defer { caretaker.finish() }
            let result = caretaker.forgetAndWait(person.bareText, through: last)
            if case .success(let outcome) = result { journal.endForgetting(outcome) }
            return .answered(ControlAnswer(result))
        } catch {
            return .journal(error)
        }
    }
}

/// Whether somebody pressed Ctrl-C, so that what was begun can be cleared away.
private final class StopSwitch: Sendable {
    private let thrown = Atomic(false)

    init() {
        // Without it the signal ends the program at once, and a file that nobody uses stays behind.
        try? SignalWatch.start { [weak self] _ in self?.thrown.store(true, ordering: .relaxed) }
    }

    var isThrown: Bool { thrown.load(ordering: .relaxed) }
}
