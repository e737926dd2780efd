package import BellhopBot
package import BellhopClient
package import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopTransport

/// Runs a bot until it is stopped or a person has to mend something.
package struct BotRun {
    /// Without the commands that the configuration declares.
    let bot: Bot
    let configuration: Configuration
    let program: String
    let log: Log
    /// Where the configuration came from; nil where it cannot be read again.
    var source: ConfigurationSource?
    /// The way to the service manager, where one started the bot.
    var service: ServiceLink?
    /// How the account is made first, where it is.
    var registration: AccountRegistration?
    /// The version that admins are told of when it is another than the last run's.
    var version = Version.current
    /// Told how to reach the loop before it runs, so that something can stop it: a signal, or a test.
    package var reachable: @Sendable (AccountHandle) throws -> Void = BotRun.stopAtSignals
    /// The world that the account's loop lives in; a stage has one of its own.
    package var world = LoopWorld()
    /// Puts somebody between the account and the bot's house: a stage that kills the bot at a point of a turn.
    package var lodge: @Sendable (any AccountHouse, AccountLoop) -> any AccountHouse = { house, _ in house }

    /// Returns the exit code; everything else was said in the log.
    func run() -> ExitCode { runUnlessKilled() ?? .unavailable }

    /// The same; nil when the loop was killed, and the journal is left as it was.
    package func runUnlessKilled() -> ExitCode? {
        let journal: Journal
        do throws(JournalError) {
            journal = try Journal(
                path: configuration.journal.path, accounts: [configuration.account.jid.bareText],
                options: configuration.journalOptions, log: log)
        } catch {
            log.error("journal", JournalPhrases.sentence(error))
            return JournalPhrases.exitCode(error)
        }
        let ending: AccountEnding?
        do {
            ending = try run(journal)
        } catch let error as JournalError {
            log.error("journal", JournalPhrases.sentence(error))
            return JournalPhrases.exitCode(error)
        } catch {
            log.error("start", "The machine does not give what the bot needs: \(error)")
            return .unavailable
        }
        guard let ending else {
            journal.abandon()
            return nil
        }
        let isWhole = journal.close(now: MonotonicClock.now())
        if !isWhole {
            log.error("journal", "Messages that could not be written are lost: \(configuration.journal.path)")
        }
        return finish(ending, isWhole: isWhole)
    }

    private func run(_ journal: Journal) throws -> AccountEnding? {
        guard let account = journal.account(configuration.account.jid.bareText) else { return .stopped }
        let ledger = JournalLedger(journal: journal, account: account)
        var settings = configuration.accountSettings
        settings.registration = registration
        settings.proven = try ledger.proof()
        if settings.usesSASL2 {
            settings.userAgent = try ledger.userAgent { try world.secrets($0) }
            settings.tokens = try ledger.tokens(for: settings.password) { try world.secrets($0) }
        }
        let loop = try AccountLoop(settings: settings, log: log, world: world)
        let handle = loop.handle
        let chat = AccountChat(
            loop: loop, queued: ledger.queued, pace: configuration.account.connection.sending.pace, log: log)
        let runner = ProgramRunner(atOnce: configuration.commands.programsAtOnce)
        let desk = Desk(
            bot: configuration.equipped(bot, log: log, runner: runner),
            settings: configuration.deskSettings(program: program),
            ledger: ledger, chat: chat,
            inlineExecutor: loop.executor, taskExecutor: world.isSingleThreaded ? loop.executor : nil, log: log,
            post: { handle.post($0) })
        let house = BotHouse(loop: loop, desk: desk, ledger: ledger, chat: chat, log: log)
        house.service = service
        house.reloading = source.map { BotHouse.Reloading($0, bot: bot, runner: runner) }
        house.version = version
        house.archive = configuration.archive
        let caretaker = Caretaker(of: journal, keep: configuration.journal.keep)
        defer { caretaker.finish() }
        house.caretaker = caretaker
        try reachable(handle)
        let control = listen(handle)
        defer { control?.stop() }
        log.info(
            "start", "\(program) starts",
            [
                "jid": configuration.account.jid.bareText,
                "configuration": source?.loaded.origin.description ?? "none",
                "journal": configuration.journal.path,
            ])
        let backups = configuration.backupPlan.map {
            BackupKeeper(journal: configuration.journal.path, plan: $0, log: log)
        }
        defer { backups?.finish() }
        caretaker.start()
        backups?.start()
        if let stream = try ledger.keptStream() {
            // Which of its messages arrived, the stream or its end will tell.
            loop.resume(stream)
        }
        // The last process may have been about to learn what of these arrived, on a stream that it had sent none of them on.
        house.uncertainRows = Set(ledger.unsent().map(\.row))
        desk.resume(try ledger.unfinishedCommands(), at: house.moment)
        let ending = loop.run(house: lodge(house, loop))
        desk.close()
        return loop.isKilled ? nil : ending
    }

    /// Lets other commands talk to this bot; without it the bot goes on all the same.
    private func listen(_ handle: AccountHandle) -> ControlServer? {
        do throws(LocalFault) {
            return try ControlServer(
                path: ControlServer.path(journal: configuration.journal.path), account: configuration.account.jid,
                log: log
            ) { [log] call, answered in
                handle.post(
                    HouseRequest { house in
                        // It may have waited in the loop's queue for longer than who asked.
                        guard call.isWanted else {
                            return log.info(
                                "control", "A request was not carried out, since nobody waits for it any more")
                        }
                        house.perform(call.request, answered)
                    })
            }
        } catch {
            log.warning("control", ErrandPhrases.cannotListen(error))
            return nil
        }
    }

    /// SIGINT and SIGTERM stop the loop; SIGHUP reads the configuration again.
    package static let stopAtSignals: @Sendable (AccountHandle) throws -> Void = { handle in
        try SignalWatch.start { signal in
            switch signal {
            case .interrupt, .terminate: handle.stop()
            case .hangUp: handle.post(HouseRequest { $0.reload() })
            }
        }
    }

    private func finish(_ ending: AccountEnding, isWhole: Bool) -> ExitCode {
        switch ending {
        case .stopped:
            log.info("stop", "Goodbye")
            return isWhole ? .success : .inputOutput
        case .loginRefused(let reason):
            log.error("stop", reason)
            return .loginRefused
        case .registrationRefused(let reason):
            log.error("stop", reason)
            return .unavailable
        case .conflict(let reason):
            log.error("stop", reason)
            return .conflict
        case .failed(let reason):
            log.error("stop", reason)
            return .unavailable
        }
    }
}

extension BotRun {
    /// A run whose configuration cannot be read again, and that no service manager started.
    package init(bot: Bot, configuration: Configuration, program: String, log: Log) {
        self.init(bot: bot, configuration: configuration, program: program, log: log, source: nil)
    }
}
