internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopTransport
internal import BellhopXMPP

/// Making the account, asking a person about it, and the login behind it (XEP-0077).
extension AccountLoop {
    /// Asks a person, who may take longer than a login.
    func ask(_ question: RegistrationQuestion, _ link: Link) {
        guard case .negotiating(_, let negotiation, _) = phase, let ask = settings.registration?.ask else { return }
        phase = .negotiating(link, negotiation, deadline: now + AccountRegistration.patience)
        let number = attempt
        let inbox = inbox
        ask(question) { inbox.post(.answered(attempt: number, $0)) }
    }

    func answered(_ number: Int, _ answers: [String: [String]]?) {
        guard number == attempt, case .negotiating(let link, let negotiation, _) = phase else { return }
        phase = .negotiating(link, negotiation, deadline: now + settings.timeout)
        negotiate(.answered(answers), isLast: true)
    }

    func registered(_ link: Link, goesOn: Bool) {
        memory.registered = true
        house?.occurred(.registered, now: now)
        guard !goesOn else {
            memory.registeredIn = attempt
            return
        }
        // A fresh login on a new stream proves the account; some servers count one as logged in, some do not.
        link.finish()
        dial()
    }

    /// Whether breaks are followed by other attempts: an account that may have been made is not asked for again.
    var retries: Bool { settings.retries && (settings.registration == nil || memory.registered) }

    /// Whether what broke is tried again at once, in another way.
    func startsAfresh(after cause: BreakCause) -> Bool {
        guard !isStopping else { return false }
        if memory.registeredIn == attempt, live == nil, !wasEverOnline, cause.mayBeOfRegistration {
            // Some servers take no login where they have just made an account, or close the connection.
            memory.registeredIn = nil
            return true
        }
        if case .negotiation(.registration(.taken)) = cause, settings.registration?.mayBeThere == true {
            // It may be ours: made by a run that did not live to hear of it.
            memory.registered = true
            memory.taken = LoginPhrases.sentence(cause, settings: settings)
            log.info("register", RegistrationPhrases.triesLogin)
            return true
        }
        if goesOnWithPassword(after: cause) { return true }
        guard cause.isWrongPassword, let newer = newerPassword() else { return false }
        log.warning("login", LoginPhrases.triesNewerPassword)
        adopt(newer)
        return true
    }

    /// Another password than those that the server has refused in this run.
    private func newerPassword() -> Secret? {
        if !memory.refused.contains(settings.password) { memory.refused.append(settings.password) }
        // Somebody who changes it as often as that does it on purpose.
        guard memory.refused.count <= 8 else { return nil }
        return settings.newerPasswords?().first { !memory.refused.contains($0) }
    }
}
