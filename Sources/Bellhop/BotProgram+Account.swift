internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// `register`, `passwd` and `unregister`: the account itself.
extension BotProgram {
    // MARK: register

    func register(_ invocation: Invocation, answers: [String: [String]], runs: Bool) -> ExitCode {
        withLoaded(invocation, makesPassword: true) { loaded, log in
            var loaded = loaded
            let makesPassword = loaded.lacksPassword
            if let code = makePassword(&loaded, log) { return code }
            if !loaded.namesPassword, let file = loaded.configuration.account.passwordFile {
                log.warning("password", AccountPhrases.passwordNotNamed(file, origin: loaded.origin))
            }
            var registration = AccountRegistration()
            registration.answers = answers
            registration.staysConnected = runs
            registration.mayBeThere = !makesPassword
            if TerminalPrompter.isAtTerminal {
                registration.ask = Self.asking(loaded.configuration.account.jid.domain, surroundings)
            }
            let code =
                runs
                ? start(loaded, log: log, level: invocation.verbosity?.level, registration: registration)
                : RegisterRun(
                    configuration: loaded.configuration, program: name, log: log, registration: registration
                ).run()
            if makesPassword, code != .success, let file = loaded.configuration.account.passwordFile {
                log.warning("password", AccountPhrases.passwordStays(file, bot: name))
            }
            return code
        }
    }

    /// Makes the password where there is none, and keeps it before the server hears of it; an exit code where that fails.
    private func makePassword(_ loaded: inout LoadedConfiguration, _ log: Log) -> ExitCode? {
        guard loaded.lacksPassword, let path = loaded.configuration.account.passwordFile else { return nil }
        let password: Secret
        do {
            password = try PasswordMaker.make(LoopWorld().secrets)
        } catch {
            log.error("password", AccountPhrases.noRandomNumbers(error))
            return .unavailable
        }
        if case .failure(let trouble) = PasswordFile(path: path).make(password) {
            log.error("password", AccountPhrases.cannotMakePassword(path, trouble))
            return .cannotCreate
        }
        log.info("password", AccountPhrases.madePassword(path))
        loaded.configuration.account.password = password
        loaded.lacksPassword = false
        return nil
    }

    /// Asks in the terminal, on a thread of its own, so that the loop hears the server meanwhile.
    private static func asking(_ domain: String, _ surroundings: SystemSurroundings) -> AccountRegistration.Ask {
        { question, answer in
            do throws(TransportError) {
                try LoopThread.start("questions") {
                    let picture = question.picture.flatMap { PictureFile($0, surroundings) }
                    defer { picture?.remove() }
                    var prompter = TerminalPrompter()
                    answer(RegistrationDialog.run(question, picture: picture?.path, domain: domain, &prompter))
                }
            } catch {
                answer(nil)
            }
        }
    }

    // MARK: passwd

    func changePassword(_ invocation: Invocation, _ choice: Invocation.PasswordChoice) -> ExitCode {
        withLoaded(invocation) { loaded, _ in
            var configuration = loaded.configuration
            guard let path = configuration.account.passwordFile else {
                complain(AccountPhrases.notInAFile(loaded.passwordSource, bot: name))
                return .configuration
            }
            let file = PasswordFile(path: path)
            let lock: FileLock
            do throws(FileLock.Fault) {
                lock = try FileLock(path: file.lock)
            } catch {
                return complain(error, file)
            }
            defer { lock.release() }
            // Another one may have changed it since the configuration was read.
            if let current = file.current { configuration.account.password = current }
            let requests = AccountRequests(configuration: configuration, log: errandLog(invocation, configuration))
            let change = PasswordChange(configuration: configuration, file: file, ask: requests.run)
            do {
                file.tidy()
                if file.pending != nil { complain(AccountPhrases.finishesEarlierChange) }
                let outcome: PasswordChange.Outcome
                if let finished = try change.goOn() {
                    outcome = finished
                } else {
                    switch newPassword(choice) {
                    case .success(let new): outcome = try change.begin(new)
                    case .failure(let refusal):
                        complain(refusal.sentence)
                        return refusal.code
                    }
                }
                complain(AccountPhrases.sentence(outcome, file: file, bot: name))
                // Who gave a password must not believe that it is the account's now.
                if outcome == .finished, case .success(let wanted)? = given(choice), wanted != file.current {
                    return .denied
                }
                return AccountPhrases.exitCode(outcome)
            } catch {
                return failed(error)
            }
        }
    }

    private func complain(_ fault: FileLock.Fault, _ file: PasswordFile) -> ExitCode {
        switch fault {
        case .held:
            complain(AccountPhrases.otherChange(file))
            return .alreadyRunning
        case .trouble(let trouble):
            let outcome = PasswordChange.Outcome.cannotWrite(file.lock, trouble)
            complain(AccountPhrases.sentence(outcome, file: file, bot: name))
            return AccountPhrases.exitCode(outcome)
        }
    }

    /// The journal or the machine failed before anything was asked.
    private func failed(_ error: any Error) -> ExitCode {
        let outcome = (error as? JournalError).map(ErrandOutcome.journal) ?? .machine("\(error)")
        complain(ErrandPhrases.trouble(outcome, bot: name) ?? "")
        return outcome.exitCode
    }

    /// Why there is no new password.
    private struct NoPassword: Error {
        var sentence: String
        var code: ExitCode
    }

    /// The password that was given before anybody was asked; nil where none was.
    private func given(_ choice: Invocation.PasswordChoice) -> Result<Secret, NoPassword>? {
        switch choice {
        case .made: nil
        case .asked: TerminalPrompter.isAtTerminal ? nil : newPassword(choice)
        case .read: newPassword(choice)
        }
    }

    private func newPassword(_ choice: Invocation.PasswordChoice) -> Result<Secret, NoPassword> {
        switch choice {
        case .made:
            do {
                return .success(try PasswordMaker.make(LoopWorld().secrets))
            } catch {
                return .failure(NoPassword(sentence: AccountPhrases.noRandomNumbers(error), code: .unavailable))
            }
        case .asked:
            var prompter = TerminalPrompter()
            guard let first = prompter.askSecret(AccountPhrases.newPassword), !first.isEmpty else {
                return .failure(NoPassword(sentence: AccountPhrases.noPassword, code: .usage))
            }
            // What is typed blindly is typed twice; what a program writes is what it means.
            guard TerminalPrompter.isAtTerminal else { return .success(Secret(first)) }
            guard prompter.askSecret(AccountPhrases.newPasswordAgain) == first else {
                return .failure(NoPassword(sentence: AccountPhrases.passwordsDiffer, code: .usage))
            }
            return .success(Secret(first))
        case .read(let path):
            let limit = ConfigurationLoader.secretLimit
            let bytes =
                path == "-"
                ? SystemFile.readFirstLine(limit: limit) : SystemFile.read(path, limit: limit).map(\.bytes)
            switch bytes {
            case .failure(let trouble):
                let sentence = ErrandPhrases.unreadable(path == "-" ? "standard input" : path, trouble.phrase)
                return .failure(NoPassword(sentence: sentence, code: .inputOutput))
            case .success(let bytes):
                guard case .success(let secret) = SecretReader.secret(bytes, ifEmpty: .emptySecret) else {
                    return .failure(NoPassword(sentence: AccountPhrases.noPassword, code: .usage))
                }
                return .success(secret)
            }
        }
    }

    // MARK: unregister

    func unregister(_ invocation: Invocation, confirmed: JID?) -> ExitCode {
        withConfiguration(invocation) { configuration, _ in
            let jid = configuration.account.jid
            let claim: JournalClaim?
            do throws(JournalError) {
                claim = try self.claim(configuration.journal.path)
            } catch {
                if case .alreadyRunning(_, let process) = error {
                    complain(AccountPhrases.isRunning(bot: name, process: process))
                } else {
                    complain(JournalPhrases.sentence(error))
                }
                return JournalPhrases.exitCode(error)
            }
            defer { claim?.release() }
            if let code = confirm(jid, confirmed) { return code }
            do {
                let requests = AccountRequests(configuration: configuration, log: errandLog(invocation, configuration))
                let outcome = try requests.run(configuration.account.password, .removal)
                if let trouble = AccountPhrases.removalTrouble(outcome, bot: name) {
                    complain(trouble)
                    return AccountPhrases.removalCode(outcome)
                }
                return say(
                    AccountPhrases.removed(
                        jid, journal: configuration.journal.path, password: configuration.account.passwordFile))
            } catch {
                return failed(error)
            }
        }
    }

    /// Keeps the bot away while its account is removed; one that hangs would not say that it runs. Nil where there is no journal.
    private func claim(_ journal: String) throws(JournalError) -> JournalClaim? {
        SystemFile.exists(journal) ? try JournalClaim(journal: journal) : nil
    }

    /// Nil where the account is to be removed, else the exit code.
    private func confirm(_ jid: JID, _ confirmed: JID?) -> ExitCode? {
        if let confirmed {
            guard confirmed != jid else { return nil }
            complain(AccountPhrases.wrongAccount(confirmed, jid))
            return .usage
        }
        guard TerminalPrompter.isAtTerminal else {
            complain(AccountPhrases.needsConfirmation(jid))
            return .usage
        }
        var prompter = TerminalPrompter()
        guard RemovalDialog.confirms(jid, &prompter) else {
            complain(AccountPhrases.notConfirmed)
            return .denied
        }
        return nil
    }
}
