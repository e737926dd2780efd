internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopTransport
internal import BellhopXMPP

/// Reading the configuration again while the bot is at work: all of it, or nothing.
extension BotHouse {
    /// What is known of the configuration, and who waits for a reading of it.
    struct Reloading {
        let source: ConfigurationSource
        /// Without the commands that a configuration declares.
        let bot: Bot
        /// Who runs the programs of those, before a reload and after it, so that all of them count together.
        let runner: ProgramRunner
        /// What was applied last.
        var current: LoadedConfiguration
        /// Whether another thread reads it now.
        var isReading = false
        /// Who asked since that reading began: the file may have changed behind it, so there is another.
        var waiting: [@Sendable (ReloadOutcome) -> Void] = []

        init(_ source: ConfigurationSource, bot: Bot, runner: ProgramRunner) {
            self.source = source
            self.bot = bot
            self.runner = runner
            current = source.loaded
        }
    }

    /// Reads the configuration on another thread and applies it between two turns of the loop.
    ///
    /// `answered` is called once, on the loop's thread. Nothing that is queued or runs is touched.
    func reload(_ answered: @escaping @Sendable (ReloadOutcome) -> Void = { _ in }) {
        guard let source = reloading?.source else { return answered(.refused([ServicePhrases.nothingToReload])) }
        guard reloading?.isReading == false else {
            // Each running command asks once at most, so these are few.
            reloading?.waiting.append(answered)
            return
        }
        reloading?.isReading = true
        service?.tell { $0.reloading(now: loop.now) }
        let handle = loop.handle
        do throws(TransportError) {
            try LoopThread.start("reload") {
                let result = source.reread()
                handle.post(HouseRequest { $0.finishReload(result, answered) })
            }
        } catch {
            finish(.refused(["\(error)"]), answered)
        }
    }

    private func finishReload(
        _ result: Result<LoadedConfiguration, ConfigurationReport>, _ answered: (ReloadOutcome) -> Void
    ) {
        switch result {
        case .failure(let report): finish(.refused(report.lines), answered)
        case .success(let new): finish(apply(new), answered)
        }
    }

    private func finish(_ outcome: ReloadOutcome, _ answered: (ReloadOutcome) -> Void) {
        reloading?.isReading = false
        service?.tell { $0.reloaded() }
        switch outcome {
        case .done(let changes):
            log.info("reload", ServicePhrases.reloaded(changes), ServicePhrases.fields(changes))
        case .refused(let problems):
            for problem in problems { log.error("reload", problem) }
            log.error("reload", ServicePhrases.reloadRefused)
        }
        answered(outcome)
        guard let waiting = reloading?.waiting, !waiting.isEmpty else { return }
        reloading?.waiting = []
        reload { outcome in for answered in waiting { answered(outcome) } }
    }

    private func apply(_ new: LoadedConfiguration) -> ReloadOutcome {
        guard let reloading else { return .refused([ServicePhrases.nothingToReload]) }
        let bot = new.configuration.equipped(reloading.bot, log: log, runner: reloading.runner)
        let problems = bot.problems(prefix: new.configuration.commands.prefix)
        guard problems.isEmpty else { return .refused(problems.map(\.description)) }
        let source = reloading.source
        let changes = ConfigurationChanges(started: source.loaded, current: reloading.current, new: new)
        var effective = new.configuration
        effective.account = source.loaded.configuration.account
        effective.journal = source.loaded.configuration.journal
        for note in new.notes { log.warning("configuration", note) }
        if !changes.applied.isEmpty {
            reloading.runner.allow(atOnce: effective.commands.programsAtOnce)
            desk.apply(effective.deskSettings(program: desk.program), bot: bot, at: moment)
            if changes.applied.contains(where: { $0.hasPrefix("commands.list") }) {
                desk.callOffAll(because: "reload", at: moment)
            }
            let settings = effective.accountSettings
            loop.adoptReading(of: settings)
            archive = effective.archive
            // What a handler has shown since stays, unless the configuration says something new.
            if changes.applied.contains(where: { $0.hasPrefix("presence.") }) { desk.showConfigured() }
            log.level = source.level ?? effective.diagnostics.level
            chat.keepsAddresses = desk.hearsOfSent
        }
        self.reloading?.current = new
        return .done(changes)
    }
}
