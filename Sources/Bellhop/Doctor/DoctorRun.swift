internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// Looks at everything that a bot with this configuration needs, each as far as it goes, and tells what it finds. Logs in once, with
/// a resource of its own and without presence, so that neither contacts nor a running bot notice.
struct DoctorRun {
    let configuration: Configuration
    /// False where the password is out of reach; then the session of a running bot is looked at.
    let canLogIn: Bool
    let log: Log
    let tell: (DoctorFact) -> Void
    /// Told how to reach the loop before it runs, so that something can stop it.
    var reachable: (AccountHandle) throws(TransportError) -> Void = { handle throws(TransportError) in
        try SignalWatch.start { _ in handle.stop() }
    }

    func run() {
        for fact in JournalExamination.facts(of: configuration.journal.path, .whole) { tell(fact) }
        var settings = configuration.accountSettings
        // A journal that cannot be read was complained of.
        settings.proven = (try? StoredLogin(configuration: configuration, log: log).proof()) ?? nil
        let survey = ServerSurveyFacts(settings, tell)
        guard canLogIn else { return askBot() }
        guard survey.leadsSomewhere else { return skip(.noPlace) }
        logIn(settings)
    }

    /// The bot that runs has a session, and all that it takes for one.
    private func askBot() {
        let socket = ControlServer.path(journal: configuration.journal.path)
        let answer = ControlClient.ask(.examine, for: configuration.account.jid, at: socket)
        guard case .answered(.examined(let findings)) = answer else { return skip(.noSecret) }
        for finding in findings where finding.check != .certificate { tell(.told(finding)) }
    }

    private func skip(_ reason: DoctorFact.SkipReason) {
        tell(.loginSkipped(reason))
        tell(.sessionSkipped)
    }

    private func logIn(_ settings: AccountSettings) {
        var settings = settings
        settings.resource += "-doctor-" + OnlineCheck.randomWord
        settings.announces = false
        settings.retries = false
        do throws(TransportError) {
            let loop = try AccountLoop(settings: settings, log: log)
            let handle = loop.handle
            try reachable(handle)
            let house = DoctorHouse(loop: loop)
            let ending = loop.run(house: house)
            guard let facts = house.facts else {
                tell(.loginFailed(ending))
                return tell(.sessionSkipped)
            }
            for fact in facts where !fact.isKnownBeforeLogin { tell(fact) }
        } catch {
            skip(.machine("\(error)"))
        }
    }
}

extension DoctorFact {
    /// Whether the places were asked for it already.
    fileprivate var isKnownBeforeLogin: Bool { check == .certificate }
}

/// Lives behind the account until the session is examined.
private final class DoctorHouse: AccountHouse {
    private let loop: AccountLoop
    private let began = MonotonicClock.now()
    private(set) var facts: [DoctorFact]?

    init(loop: AccountLoop) { self.loop = loop }

    func occurred(_ event: AccountEvent, now: Duration) {
        guard case .online = event else { return }
        SessionExamination.begin(loop, loginTime: now - began) { [self] facts in
            self.facts = facts
            loop.handle.stop()
        }
    }

    let nextDeadline: Duration? = nil
    func received(_ message: consuming IncomingMessage, now: Duration) {}
    func bounced(_ message: IncomingMessage, now: Duration) {}
    func reachedDeadline(now: Duration) {}
    func requested(by jid: JID, stanza: Presence, now: Duration) {}
    func received(input: any Sendable, now: Duration) {}
    func commit(now: Duration) -> Commitment { .released }
    func committed(now: Duration, left: Bool) {}
    func stopping(now: Duration) {}
    var isQuiet: Bool { true }
}
