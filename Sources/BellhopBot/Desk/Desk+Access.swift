internal import BellhopXMPP

/// Who may run what: the decision, its explanation, and the trace that it leaves.
extension Desk {
    func access(of person: JID) -> AccessCheck {
        AccessCheck(permissions: settings.permissions, requester: .direct(person), groups: rosterGroups)
    }

    /// In which groups of our own roster a person is; in none while we cannot know.
    private func rosterGroups(_ person: JID) -> [String] {
        chat.knowsRoster ? chat.rosterItem(person)?.groups ?? [] : []
    }

    func decide(_ job: Job, _ policy: AccessPolicy) -> AccessDecision {
        settings.permissions.decide(.direct(job.sender), policy, groups: rosterGroups)
    }

    /// Runs what is not open to everybody, or asks first.
    func performGuarded(_ work: Work, _ job: Job, at moment: Moment) {
        let decision = decide(job, work.runnable.policy)
        guard decision.isAllowed else { return deny(job, decision, at: moment) }
        if let limit = work.runnable.rules.confirmation {
            ask(work, job, decision, within: limit, at: moment)
        } else {
            audit(job, decision, .started, at: moment)
            run(work, job, at: moment)
        }
    }

    func deny(_ job: Job, _ decision: AccessDecision, at moment: Moment) {
        let isEarly = !chat.knowsRoster && settings.permissions.asksRoster(decision.policy)
        settle(job, .declined, reason: isEarly ? "roster not known" : "not permitted")
        audit(job, decision, .denied, at: moment)
        // Nobody is told that a signal without a text did nothing.
        if job.text != nil { notify(job, isEarly ? Phrases.rosterUnknown : Phrases.notPermitted, at: moment) }
    }

    // MARK: What is asked about it

    func whoami(_ job: Job) -> String {
        Phrases.whoami(
            job.peer, roles: settings.permissions.roles(of: .direct(job.sender), groups: rosterGroups))
    }

    /// `why alice@x.example uptime`.
    func why(_ arguments: String) -> String {
        let words = arguments.split(whereSeparator: \.isSeparator)
        guard words.count == 2, let person = try? JID(String(words[0])), person.hasLocal else {
            return Phrases.whyUsage
        }
        let name = words[1].hasPrefix(settings.prefix) ? words[1].dropFirst(settings.prefix.count) : words[1]
        guard let policy = settings.permissions.policy(named: String(name), in: bot) else {
            return Phrases.unknownCommand(String(name), prefix: settings.prefix)
        }
        let decision = settings.permissions.decide(
            .direct(person), policy, completely: true, groups: rosterGroups)
        return Phrases.explanation(decision)
    }

    /// `audit 20`.
    func recentRuns(_ arguments: String) -> String {
        var count = 10
        if let word = arguments.split(whereSeparator: \.isSeparator).first {
            guard let number = Int(word), number > 0 else { return Phrases.auditUsage }
            count = min(number, 50)
        }
        return Phrases.audited(ledger.audited(last: count))
    }

    // MARK: The audit

    /// Notes what becomes of something that is not open; what is open leaves no trace here.
    func audit(_ job: Job, _ decision: AccessDecision, _ outcome: AuditOutcome, at moment: Moment) {
        guard !decision.policy.isOpen else { return }
        ledger.audit(
            AuditEntry(
                row: job.row, person: job.peer, command: decision.policy.command, typed: job.text ?? "",
                at: moment.clock, rule: decision.rule.description, outcome: outcome,
                duration: outcome == .answered ? .zero : nil))
    }

    func closeAudit(_ job: Job, _ outcome: AuditOutcome, after duration: Duration?) {
        ledger.closeAudit(job.row, outcome, after: duration)
    }

    /// Notes how a run that had a task ended.
    func endAudit(_ run: Run, _ outcome: AuditOutcome, at moment: Moment) {
        guard !run.work.runnable.isOpen else { return }
        closeAudit(run.job, outcome, after: moment.now - run.startedAt)
    }

    static func auditOutcome(_ outcome: RunOutcome, _ job: Job) -> AuditOutcome {
        switch outcome {
        case .answered: .answered
        case .failed(.arguments): .failed(code: "usage")
        case .failed(.shown): .failed(code: nil)
        case .failed(.hidden): .failed(code: code(of: job.row))
        }
    }
}
