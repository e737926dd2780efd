internal import BellhopDiagnostics
package import BellhopXMPP

/// Subscription requests: what the policy decides, and what admins answer.
extension Desk {
    /// Somebody asks to see our presence. Every answer goes to the bare address.
    package func requested(subscriptionBy sender: JID, at moment: Moment) {
        let person = sender.bare
        guard person != account else { return }
        guard !isSeen(person), !requests.wasSettled(person, now: moment.now), !requests.isPending(person) else {
            log.debug("request repeated", "A subscription request came again.", ["from": person.bareText])
            return
        }
        let decision = decide(about: person, at: moment)
        var number: Int?
        switch decision.action {
        case .accept, .acceptMutual:
            accept(person, mutually: decision.action == .acceptMutual, group: decision.group, at: moment)
        case .ask:
            number = ask(about: person, at: moment)
        case .reject:
            requests.settle(person, now: moment.now)
            chat.refuse(person)
        case .ignore:
            requests.settle(person, now: moment.now)
        case .block:
            requests.settle(person, now: moment.now)
            chat.block(person)
        }
        occurred(
            .request(
                SubscriptionRequest(
                    jid: person, action: decision.action.rawValue, decidedBy: decision.reason.description,
                    number: number)), at: moment)
    }

    /// The policy's decision, with the limits counted.
    private func decide(about person: JID, at moment: Moment) -> SubscriptionPolicy.Decision {
        var decision = settings.policy.decide(person)
        guard decision.action == .accept || decision.action == .acceptMutual,
            case .rule(let index) = decision.reason, let limit = settings.policy.rules[index].limit
        else { return decision }
        if !requests.counts.allows(person.domain, rule: index, limit: limit, now: moment.now) {
            decision.action = .ask
            decision.reason = .limit(index)
        }
        return decision
    }

    private func isSeen(_ person: JID) -> Bool {
        guard let item = chat.rosterItem(person) else { return false }
        return item.subscription == .from || item.subscription == .both
    }

    private func accept(_ person: JID, mutually: Bool, group: String?, at moment: Moment) {
        requests.settle(person, now: moment.now)
        chat.approve(person)
        if mutually && !seesOrAsked(person) { chat.subscribe(person) }
        if let group { file(person, under: group) }
        greet(person, at: moment)
    }

    private func file(_ person: JID, under group: String) {
        let item = chat.rosterItem(person)
        let groups = item?.groups ?? []
        guard !groups.contains(group) else { return }
        chat.setContact(person, name: item?.name, groups: groups + [group])
    }

    /// Once for each person, restarts included.
    private func greet(_ person: JID, at moment: Moment) {
        guard let greeting = settings.greeting, !greeting.isEmpty else { return }
        guard ledger.greetOnce(person, at: moment.clock) else { return }
        send(greeting, to: person, isHeld: isPaused, at: moment)
    }

    /// Leaves the request pending; nil when too many are.
    private func ask(about person: JID, at moment: Moment) -> Int? {
        guard !requests.isFull else {
            log.warning(
                "requests full", "Too many subscription requests wait; this one is left to the server.",
                ["from": person.bareText])
            return nil
        }
        let request = ledger.addRequest(from: person, at: moment.clock)
        requests.add(request)
        if settings.permissions.admins.isEmpty {
            log.info(
                "request waits", "A subscription request waits, and no admin is named; this command accepts it.",
                ["command": "\(settings.program) requests accept \(person.bareText)"])
        } else if requests.tellsNow(request, now: moment.now) {
            tellAdmins(Phrases.request(request), at: moment)
        }
        return request.number
    }

    func sendDigestIfDue(at moment: Moment) {
        let waiting = requests.takeDigest(now: moment.now)
        guard !waiting.isEmpty else { return }
        tellAdmins(Phrases.digest(waiting), at: moment)
    }

    // MARK: Answers

    /// The requests that wait, by number.
    package var pendingRequests: [PendingRequest] { requests.pending }

    /// Accepts or denies waiting requests; `who` is named to the admins. Returns those it was about, none if none waits.
    @discardableResult
    package func answer(
        _ selector: RequestSelector, accepting: Bool, by who: String, at moment: Moment
    ) -> [PendingRequest] {
        let answered = requests.take(selector)
        for request in answered {
            ledger.closeRequest(request.number, accepting ? .accepted : .denied, by: who, at: moment.clock)
            log.info(
                "request answered",
                accepting ? "A subscription request was accepted." : "A subscription request was denied.",
                ["from": request.person.bareText, "number": "\(request.number)", "by": who])
            if accepting {
                // The rule that asked may name a group, as a limit does for the requests above it.
                let group = settings.policy.decide(request.person).group
                accept(request.person, mutually: false, group: group, at: moment)
            } else {
                requests.settle(request.person, now: moment.now)
                chat.refuse(request.person)
            }
        }
        requests.note(answered, accepted: accepting, by: who)
        return answered
    }

    /// Answers waiting requests from outside of a chat; all admins are told. Returns those it was about.
    package func answerFromOutside(
        _ selector: RequestSelector, accepting: Bool, by who: String, at moment: Moment
    ) -> [PendingRequest] {
        let answered = answer(selector, accepting: accepting, by: who, at: moment)
        if !answered.isEmpty {
            tellAdmins(Phrases.answeredByOther(answered, accepted: accepting, by: who), at: moment)
        }
        return answered
    }

    func answerRequests(
        _ arguments: String, accepting isAccepted: Bool, from admin: JID, at moment: Moment
    ) -> String {
        guard let selector = RequestSelector(arguments) else {
            return Phrases.requestUsage(isAccepted ? .accept : .deny)
        }
        let answered = answer(selector, accepting: isAccepted, by: admin.bareText, at: moment)
        guard !answered.isEmpty else {
            if case .number(let number) = selector, let earlier = requests.answer(to: number) {
                return Phrases.alreadyAnswered(number, accepted: earlier.isAccepted, by: earlier.by)
            }
            return Phrases.noSuchRequest
        }
        tellAdmins(
            Phrases.answeredByOther(answered, accepted: isAccepted, by: admin.bareText), except: admin, at: moment)
        return Phrases.answered(answered, accepted: isAccepted)
    }

    // MARK: Changes

    /// Somebody no longer wants to see our presence (`unsubscribe`); a later request is a new one.
    package func unsubscribed(by sender: JID, at moment: Moment) {
        let person = sender.bare
        requests.forgetSettled(person)
        for request in requests.take(.person(person)) {
            ledger.closeRequest(request.number, .withdrawn, by: person.bareText, at: moment.clock)
        }
        occurred(.removed(Removed(jid: person)), at: moment)
    }
}
