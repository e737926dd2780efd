internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXML
internal import BellhopXMPP

/// Logs in, sends a message to itself and reads it back, under a resource of its own and without presence, so that
/// neither contacts nor a running bot notice.
struct OnlineCheck {
    let configuration: Configuration
    let log: Log
    /// Hears of each step when it is done.
    let report: (Step) -> Void

    /// What worked, and how long it took.
    enum Step: Equatable {
        /// The server was found and took the connection.
        case connected(address: String, port: UInt16, Duration)
        /// From the first byte to the roster: TLS, login, resource.
        case loggedIn(AccountEvent.Login, Duration)
        case messageCameBack(Duration)
    }

    enum Outcome: Equatable {
        case worked
        case interrupted
        /// The message came back as an error.
        case bounced(reason: String)
        /// The message did not come back within this time.
        case lost(Duration)
        /// There was no login, or it broke.
        case ended(AccountEnding)
        /// The machine lacks something, in its own words.
        case machine(String)

        var exitCode: ExitCode {
            switch self {
            case .worked: .success
            case .interrupted, .bounced, .lost, .machine: .unavailable
            case .ended(let ending): ErrandOutcome.exitCode(ending)
            }
        }
    }

    func run() -> Outcome {
        var settings = configuration.accountSettings
        settings.resource += "-check-" + Self.randomWord
        settings.announces = false
        settings.retries = false
        do throws(JournalError) {
            settings.proven = try StoredLogin(configuration: configuration, log: log).proof()
        } catch {
            return .machine(JournalPhrases.sentence(error))
        }
        do throws(TransportError) {
            let loop = try AccountLoop(settings: settings, log: log)
            let handle = loop.handle
            try SignalWatch.start { _ in handle.stop() }
            let house = OnlineCheckHouse(loop: loop, report: report)
            let ending = loop.run(house: house)
            return house.outcome ?? (ending == .stopped ? .interrupted : .ended(ending))
        } catch {
            return .machine("\(error)")
        }
    }

    static var randomWord: String { String(UInt64.random(in: .min ... .max), radix: 36) }
}

/// Lives behind the account until the message is back.
private final class OnlineCheckHouse: AccountHouse {
    private let loop: AccountLoop
    private let report: (OnlineCheck.Step) -> Void
    private let id = "check-" + OnlineCheck.randomWord
    /// When the step that is under way began.
    private var began = MonotonicClock.now()
    private(set) var outcome: OnlineCheck.Outcome?
    private(set) var nextDeadline: Duration?

    private static let patience: Duration = .seconds(10)

    init(loop: AccountLoop, report: @escaping (OnlineCheck.Step) -> Void) {
        self.loop = loop
        self.report = report
    }

    func occurred(_ event: AccountEvent, now: Duration) {
        switch event {
        case .connected(let address, let port, _): report(.connected(address: address, port: port, lap(now)))
        case .online(let login):
            report(.loggedIn(login, lap(now)))
            speak(to: login.bound, now: now)
        case .connecting, .proved, .resumed, .streamEnded, .loginFailed, .registered, .registrationFailed,
            .disconnected,
            .rosterLoaded, .rosterChanged, .rosterRemoved, .contactOnline, .contactOffline, .contactChanged,
            .subscriptionNotice:
            break
        }
    }

    /// To this very session, which a server serves without presence, too (RFC 6121 section 8.5.3.1); to be neither
    /// archived nor copied to others (XEP-0334).
    private func speak(to jid: JID, now: Duration) {
        let hints = ["no-store", "no-copy"].map { Element($0, namespace: Namespace.hints) }
        nextDeadline = now + Self.patience
        _ = loop.send(
            OutgoingMessage(
                to: jid, type: .chat, id: id, body: "A message from check --online to itself.", payloads: hints))
    }

    func received(_ message: IncomingMessage, now: Duration) {
        guard outcome == nil, message.id == id, message.sender == loop.boundJID else { return }
        report(.messageCameBack(lap(now)))
        finish(.worked)
    }

    func bounced(_ message: IncomingMessage, now: Duration) {
        guard outcome == nil, message.id == id else { return }
        finish(.bounced(reason: message.error?.condition.rawValue ?? "undefined-condition"))
    }

    func reachedDeadline(now: Duration) {
        if outcome == nil { finish(.lost(Self.patience)) }
    }

    private func finish(_ outcome: OnlineCheck.Outcome) {
        self.outcome = outcome
        nextDeadline = nil
        loop.handle.stop()
    }

    private func lap(_ now: Duration) -> Duration {
        defer { began = now }
        return now - began
    }

    func requested(by jid: JID, stanza: Presence, now: Duration) {}
    func received(input: any Sendable, now: Duration) {}
    func commit(now: Duration) -> Commitment { .released }
    func committed(now: Duration, left: Bool) {}
    func stopping(now: Duration) {}
    var isQuiet: Bool { true }
}
