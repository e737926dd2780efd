internal import BellhopXMPP

/// Commands that ask "really?" before they run.
///
/// Nothing waits for the answer: the conversation is free, and whatever its person writes next is the answer. The
/// command's row stays `received` until it runs, with a reason by which a restarted bot knows it.
extension Desk {
    /// The reason of a row that waits for a yes.
    static let waitsForYes = "waits for a yes"

    /// Asks, unless the arguments do not fit: nobody is asked whether they mean what cannot be run.
    func ask(_ work: Work, _ job: Job, _ decision: AccessDecision, within limit: Duration, at moment: Moment) {
        if let problem = Self.problem(of: work) {
            settle(job, .handled)
            audit(job, decision, Self.auditOutcome(.failed(.arguments(problem)), job), at: moment)
            let text = Phrases.usage(work.runnable.usage ?? work.runnable.name, problem)
            send(Reply(text: text, payloads: []), to: job, ordinal: 1, at: moment)
            return
        }
        guard !confirmations.isFull else {
            settle(job, .declined, reason: "too many questions")
            audit(job, decision, .cancelled, at: moment)
            notify(job, Phrases.full, at: moment)
            return
        }
        settle(job, .received, reason: Self.waitsForYes)
        audit(job, decision, .waiting, at: moment)
        let question = send(
            Reply(text: Phrases.really(Self.shown(work), within: limit), payloads: []), to: job,
            ordinal: Ordinal.question, at: moment)
        confirmations.add(
            Confirmation(
                job: job, work: work, question: question?.row ?? 0, limit: limit, deadline: moment.now + limit))
    }

    /// Whether the message is an answer and nothing else; whatever else was typed calls the command off, and then is
    /// treated as ever.
    func answers(_ job: Job, _ text: String, _ route: Route, at moment: Moment) -> Bool {
        guard let confirmation = confirmations[job.peer] else { return false }
        // What was on its way before the question cannot be meant for it.
        let answer = job.row > confirmation.question ? ConfirmationAnswer(text, prefix: settings.prefix) : nil
        if answer == nil, case .nothing = route { return false }
        confirmations.remove(job.peer)
        switch answer {
        case .yes?:
            settle(job, .handled)
            runConfirmed(confirmation, to: job.sender, at: moment)
            return true
        case .no?:
            settle(job, .handled)
            callOff(confirmation, reason: "cancelled")
            send(
                Reply(text: Phrases.calledOff(Self.shown(confirmation.work)), payloads: []), to: job, ordinal: 1,
                at: moment)
            return true
        case nil:
            callOff(confirmation, reason: "cancelled")
            send(
                Reply(text: Phrases.calledOff(Self.shown(confirmation.work)), payloads: []), to: confirmation.job,
                ordinal: Ordinal.end, at: moment)
            return false
        }
    }

    private static func problem(of work: Work) -> ArgumentProblem? {
        var reader = ArgumentReader(work.arguments)
        do throws(ArgumentProblem) {
            for argument in work.runnable.arguments { _ = try reader.read(argument) }
            try reader.expectEnd()
            return nil
        } catch {
            return error
        }
    }

    /// Decides once more, by what holds now: the configuration may have been read again, or a role taken away. Answers go
    /// to where the yes came from, which may be another device than the command's.
    private func runConfirmed(_ confirmation: Confirmation, to sender: JID, at moment: Moment) {
        let asked = confirmation.job
        let job = Job(row: asked.row, message: asked.message, sender: sender, peer: asked.peer)
        guard case .command(let place, let arguments) = router.route(job.text ?? "") else {
            callOff(confirmation, reason: "unknown command")
            send(
                Reply(text: Phrases.calledOff(Self.shown(confirmation.work)), payloads: []), to: job,
                ordinal: Ordinal.end, at: moment)
            return
        }
        let work = Work(runnable: commands[place], arguments: arguments)
        let decision = decide(job, work.runnable.policy)
        guard decision.isAllowed else { return deny(job, decision, at: moment) }
        audit(job, decision, .started, at: moment)
        run(work, job, at: moment)
    }

    private func callOff(_ confirmation: Confirmation, reason: String) {
        settle(confirmation.job, .declined, reason: reason)
        if !confirmation.work.runnable.isOpen { closeAudit(confirmation.job, .cancelled, after: nil) }
    }

    func dropUnanswered(at moment: Moment) {
        for confirmation in confirmations.takeLate(now: moment.now) {
            callOff(confirmation, reason: "not confirmed")
            send(
                Reply(
                    text: Phrases.unanswered(Self.shown(confirmation.work), after: confirmation.limit), payloads: []),
                to: confirmation.job, ordinal: Ordinal.end, at: moment)
        }
    }

    /// Nothing is run from a yes that was asked for before a pause.
    /// Calls off whatever waits for a yes, because what would run may no longer be what was asked about.
    package func callOffAll(because reason: String, at moment: Moment) {
        for confirmation in confirmations.takeAll() {
            callOff(confirmation, reason: reason)
            send(
                Reply(text: Phrases.calledOff(Self.shown(confirmation.work)), payloads: []), to: confirmation.job,
                ordinal: Ordinal.end, at: moment)
        }
    }

    /// A command whose question a former process asked: the answer would reach nobody, so it is called off.
    func forget(_ job: Job, at moment: Moment) {
        settle(job, .declined, reason: "restart")
        closeAudit(job, .cancelled, after: nil)
        send(
            Reply(text: Phrases.forgotten(job.text ?? ""), payloads: []), to: job, ordinal: Ordinal.end, at: moment)
    }

    private static func shown(_ work: Work) -> String {
        work.arguments.isEmpty ? work.runnable.name : work.runnable.name + " " + work.arguments
    }
}
