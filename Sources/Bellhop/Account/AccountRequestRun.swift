internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopTransport
internal import BellhopXML
internal import BellhopXMPP

/// Logs in with a resource of its own and without presence, has the server do one thing with the account (XEP-0077 section
/// 3.2 and 3.3), and leaves.
struct AccountRequestRun {
    enum Request: Equatable {
        /// Nothing but the login.
        case login
        case passwordChange(Credentials)
        case removal
    }

    enum Outcome: Equatable {
        case done
        case refused(StanzaError)
        /// The request has left, and nobody knows what became of it; with the reason where the connection broke.
        case unknown(reason: String?)
        /// Nothing was asked of the server.
        case notSent(AccountEnding)
    }

    let configuration: Configuration
    let password: Secret
    let log: Log
    /// Told how to reach the loop before it runs, so that something can stop it.
    let reachable: (AccountHandle) throws -> Void

    func run(_ request: Request) throws -> Outcome {
        var settings = configuration.accountSettings
        settings.password = password
        // Which password it was that worked decides what comes next.
        settings.newerPasswords = nil
        settings.resource += "-" + OnlineCheck.randomWord
        settings.announces = false
        settings.retries = false
        // The stream that the bot itself will take up again stays as it is.
        settings.managesStream = false
        settings.proven = try StoredLogin(configuration: configuration, log: log).proof()
        let loop = try AccountLoop(settings: settings, log: log)
        try reachable(loop.handle)
        let house = AccountRequestHouse(loop: loop, request: request)
        let ending = loop.run(house: house)
        if let outcome = house.outcome { return outcome }
        guard house.isSent else { return .notSent(ending) }
        switch ending {
        case .stopped: return .unknown(reason: nil)
        case .loginRefused(let reason), .registrationRefused(let reason), .conflict(let reason), .failed(let reason):
            return .unknown(reason: reason)
        }
    }
}

/// Lives behind the account until the server has answered.
private final class AccountRequestHouse: AccountHouse {
    private let loop: AccountLoop
    private let request: AccountRequestRun.Request
    private(set) var isSent = false
    private(set) var outcome: AccountRequestRun.Outcome?

    init(loop: AccountLoop, request: AccountRequestRun.Request) {
        self.loop = loop
        self.request = request
    }

    func occurred(_ event: AccountEvent, now: Duration) {
        switch event {
        case .online: ask()
        // A server that has removed an account has nobody to answer any more.
        case .streamEnded(.notAuthorized) where isSent && request == .removal: finish(.done)
        case .connecting, .connected, .resumed, .loginFailed, .proved, .registered, .registrationFailed, .streamEnded,
            .disconnected, .rosterLoaded, .rosterChanged, .rosterRemoved, .contactOnline, .contactOffline,
            .contactChanged, .subscriptionNotice:
            break
        }
    }

    private func ask() {
        let query = Element("query", namespace: Namespace.register)
        switch request {
        case .login: finish(.done)
        case .passwordChange(let new):
            let username = Element("username", namespace: Namespace.register)
                .with(text: loop.boundJID?.local ?? new.user)
            let password = Element("password", namespace: Namespace.register)
                .with(text: String(decoding: new.password, as: UTF8.self))
            send(query.with(username).with(password), to: try? JID(loop.settings.jid.domain))
        // Without an address: with one, it could be some other service that forgets us (XEP-0077 section 3.2).
        case .removal: send(query.with(Element("remove", namespace: Namespace.register)), to: nil)
        }
    }

    private func send(_ query: Element, to peer: JID?) {
        isSent = true
        loop.request(.set(query), to: peer) { [unowned self] reply in
            switch reply {
            case .result?: finish(.done)
            case .error(let error)?: finish(.refused(withoutSecrets(error)))
            // What the end of the connection says, `run` returns.
            case nil: loop.handle.stop()
            }
        }
    }

    /// The server was told one more than the loop knows of, and may say it back.
    private func withoutSecrets(_ error: StanzaError) -> StanzaError {
        guard case .passwordChange(let new) = request else { return error }
        var error = error
        let secrets = SpokenSecrets([Secret(String(decoding: new.password, as: UTF8.self))])
        error.text = error.text.map { secrets.cut(from: $0) }
        return error
    }

    private func finish(_ outcome: AccountRequestRun.Outcome) {
        self.outcome = self.outcome ?? outcome
        loop.handle.stop()
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
