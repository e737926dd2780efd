internal import BellhopXMPP

/// What admins ask of the bot itself in the chat: how it is, to stop and go on, and how it shows itself.
extension Desk {
    /// Does what takes no argument; nil when the answer comes later.
    func operate(_ builtin: Builtin, _ arguments: String, _ job: Job, at moment: Moment) -> String? {
        guard arguments.allSatisfy(\.isSeparator) else { return Phrases.takesNothing(builtin) }
        switch builtin {
        case .status: return steward?.status ?? Phrases.noStatus
        case .pause: return pause(by: job.peer, at: moment)
        case .resume: return resume(by: job.peer, at: moment)
        case .reload: return later(for: job, Phrases.noReload) { $0.rereadConfiguration($1) }
        case .doctor: return later(for: job, Phrases.noStatus) { $0.examine($1) }
        case .help, .more, .cancel, .whoami, .accept, .deny, .requests, .outbox, .why, .audit, .presence:
            return nil
        }
    }

    /// Asks the steward for what is not known at once; `nobody` is said where there is none.
    private func later(
        for job: Job, _ nobody: String, _ ask: (any Steward, @escaping @Sendable (String) -> Void) -> Void
    ) -> String? {
        guard let steward else { return nobody }
        let post = post
        ask(steward) { post(.answered(LateAnswer(job: job, text: $0))) }
        return nil
    }

    func answered(_ answer: LateAnswer, at moment: Moment) {
        var output = Output(of: nil)
        say(Reply(text: answer.text, payloads: []), in: &output, to: answer.job, at: moment)
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

    // MARK: Presence

    func presence(_ arguments: String) -> String {
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

    /// Shows what the configuration says from now on.
    package func showConfigured() { present(settings.availability) }

    func showPresence() {
        chat.show(
            isPaused
                ? Availability(show: .dnd, status: Phrases.pausedStatus, priority: presence.priority) : presence)
    }
}
