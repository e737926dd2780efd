internal import BellhopXMPP

/// What admins ask of the bot itself in the chat: how it is, to stop and go on, and how it shows itself.
extension Desk {
    func operate(_ builtin: Builtin, _ arguments: String, by admin: JID, at moment: Moment) -> String {
        let isAlone = arguments.allSatisfy(\.isSeparator)
        switch builtin {
        case .status: return isAlone ? steward?.status ?? Phrases.noStatus : Phrases.takesNothing(builtin)
        case .pause: return isAlone ? pause(by: admin, at: moment) : Phrases.takesNothing(builtin)
        case .resume: return isAlone ? resume(by: admin, at: moment) : Phrases.takesNothing(builtin)
        case .presence: return presence(arguments)
        case .help, .accept, .deny, .requests: return help.answer(to: admin, about: builtin.rawValue)
        }
    }

    private func pause(by admin: JID, at moment: Moment) -> String {
        if let pause { return Phrases.alreadyPaused(pause) }
        _ = beginPause(by: admin.bareText, except: admin, at: moment)
        return Phrases.pauseBegan
    }

    private func resume(by admin: JID, at moment: Moment) -> String {
        guard let resumption = endPause(by: admin.bareText, except: admin, at: moment) else { return Phrases.notPaused }
        return Phrases.pauseEnded(resumption)
    }

    /// Whether a message is heard at once although a handler of its conversation runs: what is built in is quick, and
    /// `pause` would come too late behind what it is to stop.
    func overtakes(_ job: Job) -> Bool {
        guard let text = job.text, text.utf8.count <= Self.builtinLimit else { return false }
        if case .builtin = router.route(text) { return true }
        return false
    }

    /// Longer messages, in bytes, are not looked at before their turn.
    private static let builtinLimit = 4_096

    // MARK: Presence

    private func presence(_ arguments: String) -> String {
        switch PresenceRequest(arguments) {
        case .look: break
        case .reset: present(settings.availability)
        case .show(let show, let status):
            present(Availability(show: show, status: status, priority: presence.priority))
        case .tooLong: return Phrases.statusTooLong(limit: PresenceRequest.statusLimit)
        case nil: return Phrases.presenceUsage
        }
        return Phrases.presence(presence, isPaused: isPaused)
    }

    /// Shows this from now on, or from the end of the pause.
    func present(_ availability: Availability) {
        presence = availability
        if !isPaused { showPresence() }
    }

    func showPresence() {
        if isPaused {
            chat.show(.dnd, status: Phrases.pausedStatus)
        } else {
            chat.show(presence.show, status: presence.status)
        }
    }
}
