internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// Makes the configuration's account on its server (XEP-0077), and logs in once to see that it works.
struct RegisterRun {
    let configuration: Configuration
    let program: String
    let log: Log
    /// What the server's form is answered with.
    var registration = AccountRegistration()
    /// Told how to reach the loop before it runs, so that something can stop it: a signal, or a test.
    var reachable: @Sendable (AccountHandle) throws -> Void = { handle in
        try SignalWatch.start { _ in handle.stop() }
    }

    func run() -> ExitCode {
        var settings = configuration.accountSettings
        settings.registration = registration
        settings.retries = false
        do {
            settings.proven = try StoredLogin(configuration: configuration, log: log).proof()
            let loop = try AccountLoop(settings: settings, log: log)
            let handle = loop.handle
            try reachable(handle)
            let house = RegisterHouse(handle: handle)
            return finish(loop.run(house: house), house)
        } catch let error as JournalError {
            log.error("register", JournalPhrases.sentence(error))
            return JournalPhrases.exitCode(error)
        } catch {
            log.error("register", "The machine does not give what is needed: \(error)")
            return .unavailable
        }
    }

    private func finish(_ ending: AccountEnding, _ house: RegisterHouse) -> ExitCode {
        switch ending {
        case .stopped where house.isDone:
            let jid = configuration.account.jid
            log.info(
                "register",
                house.isRegistered ? AccountPhrases.existsNow(jid) : AccountPhrases.isThere(jid, bot: program))
            return .success
        case .stopped: return .unavailable
        case .registrationRefused(let reason), .failed(let reason):
            log.error("register", reason)
            return .unavailable
        case .loginRefused(let reason):
            log.error("register", reason)
            return .loginRefused
        case .conflict(let reason):
            log.error("register", reason)
            return .conflict
        }
    }
}

/// Lives behind the account until the first login worked.
private final class RegisterHouse: AccountHouse {
    private let handle: AccountHandle
    private(set) var isDone = false
    /// Whether it was made in this run.
    private(set) var isRegistered = false

    init(handle: AccountHandle) { self.handle = handle }

    func occurred(_ event: AccountEvent, now: Duration) {
        if case .registered = event { isRegistered = true }
        guard case .online = event else { return }
        isDone = true
        handle.stop()
    }

    func received(_ message: IncomingMessage, now: Duration) {}
    func bounced(_ message: IncomingMessage, now: Duration) {}
    func requested(by jid: JID, stanza: Presence, now: Duration) {}
    func received(input: any Sendable, now: Duration) {}
    func reachedDeadline(now: Duration) {}
    var nextDeadline: Duration? { nil }
    func commit(now: Duration) -> Commitment { .released }
    func committed(now: Duration, left: Bool) {}
    func stopping(now: Duration) {}
    var isQuiet: Bool { true }
}
