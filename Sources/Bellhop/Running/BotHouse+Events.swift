internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopXMPP

/// What happens to the account, told to the desk in its own words.
extension BotHouse {
    func occurred(_ event: AccountEvent, now: Duration) {
        record.occurred(event, at: loop.clock)
        switch event {
        case .connecting(let place):
            log.debug("connect", "Connecting", ["to": place])
            service?.tell { $0.connecting(to: place) }
        case .connected(let address, let port, let tls):
            desk.occurred(.connected(Connected(host: "\(address):\(port)", tlsVersion: tls)), at: moment)
        case .online(let login): wentOnline(login)
        case .resumed(let login): wentOnline(login, isResumed: true)
        case .loginFailed(let reason): desk.occurred(.loginFailed(LoginFailed(reason: reason)), at: moment)
        case .proved(let mechanism): ledger.note(proof: mechanism, at: loop.clock)
        case .registered:
            log.info("register", AccountPhrases.made(loop.settings.jid))
            desk.occurred(.registered(Registered(jid: loop.settings.jid)), at: moment)
        case .registrationFailed(let reason):
            desk.occurred(.registrationFailed(RegistrationFailed(reason: reason)), at: moment)
        case .streamEnded(let condition):
            if Self.sizeConditions.contains(condition) { blameSize(chat.bytesInFlight) }
        case .disconnected(let reason, let retry): wentOffline(reason, retry)
        case .rosterLoaded: desk.occurred(.rosterLoaded(RosterLoaded(items: loop.rosterItems)), at: moment)
        case .rosterChanged(let item):
            desk.occurred(.rosterChanged(RosterChanged(jid: item.jid, item: item)), at: moment)
        case .rosterRemoved(let jid): desk.occurred(.rosterChanged(RosterChanged(jid: jid, item: nil)), at: moment)
        case .contactOnline(let jid, let shown):
            desk.occurred(.contactOnline(ContactPresence(jid: jid, availability: shown)), at: moment)
        case .contactOffline(let jid):
            desk.occurred(.contactOffline(ContactPresence(jid: jid, availability: Availability())), at: moment)
        case .contactChanged(let jid, let shown):
            desk.occurred(.contactChanged(ContactPresence(jid: jid, availability: shown)), at: moment)
        case .subscriptionNotice(let jid, let kind):
            if kind == .unsubscribe { desk.unsubscribed(by: jid, at: moment) }
        }
    }

    private func wentOnline(_ login: AccountEvent.Login, isResumed: Bool = false) {
        lastReason = nil
        reasons = []
        desk.serve(as: login.bound)
        log.info(
            "login", isResumed ? "Online again; the stream goes on where it broke" : "Online",
            [
                "jid": loop.settings.secrets.cut(from: "\(login.bound)"), "host": "\(login.address):\(login.port)",
                "tls": login.tls ?? "none",
                "mechanism": login.mechanism,
            ])
        service?.tell { $0.wentOnline(as: login.bound.bareText, now: loop.now) }
        desk.announced(largestStanza: login.largestStanza)
        // What a stream of an earlier process knows nothing of is as uncertain as on a new one.
        if !isResumed || !wasOnline {
            chat.lateBefore = moment.clock
            settleUnsent()
        }
        wasOnline = true
        if !desk.isPaused { chat.sendQueued() }
        // An errand without presence leaves that to the bot.
        if archive.catchUp, loop.settings.announces { CatchUp.begin(in: self, isResumed: isResumed) }
        // Only now, because what the desk says to that would be among the unsent.
        desk.occurred(.online(Online(jid: login.bound, isResumed: isResumed)), at: moment)
        if let end = login.certificateEnd,
            let trouble = Trouble.certificate(of: loop.settings.jid.domain, end: end, now: moment.clock)
        {
            desk.speakUp(trouble, at: moment)
        }
        announceUpgrade()
        let work = onceOnline
        onceOnline = nil
        work?(self)
    }

    /// Once the new program has shown that it can log in; the first run of all is no change.
    private func announceUpgrade() {
        guard let version else { return }
        self.version = nil
        guard let old = ledger.note(version: version) else { return }
        desk.tellAdmins(ServicePhrases.upgraded(desk.program, from: old, to: version), at: moment)
    }

    /// With what a server ends a stream on which a stanza was too large for it.
    private static let sizeConditions: Set<StreamError.Condition> = [.policyViolation, .resourceConstraint]

    /// The stream ended, most probably for the size of what was on its way.
    private func blameSize(_ bytes: Int?) {
        guard let bytes, let limit = desk.serverRefused(bytes) else { return }
        chat.narrow(to: limit)
        _ = chat.connectionLost()
    }

    private func wentOffline(_ reason: String, _ retry: Duration?) {
        blameSize(chat.connectionLost())
        giveUpDepartures()
        // A long outage is one line for each reason, not one for each attempt; the last one is said with the end of the run.
        let isNew = reasons.count < 16 && reasons.insert(reason).inserted
        lastReason = reason
        let level: LogLevel = isNew && retry != nil ? .warning : .debug
        let next = retry.map { "in \($0.components.seconds + 1) s" } ?? "never"
        service?.tell { $0.wentOffline(reason, retry: retry) }
        log.write(level, "offline", "Not connected: \(reason)", ["next": next])
        desk.occurred(.disconnected(Disconnected(cause: reason, nextAttempt: retry)), at: moment)
    }
}
