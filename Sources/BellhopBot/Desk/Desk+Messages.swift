internal import BellhopDiagnostics
package import BellhopXMPP

/// What becomes of an incoming message: dedup, obstacles, lane, brake, permission, run.
extension Desk {
    package func received(_ message: consuming IncomingMessage, at moment: Moment) {
        guard message.obstacle == nil, let sender = message.sender, message.text != nil, sender.hasLocal else {
            receivedWithObstacle(message, at: moment)
            return
        }
        let peer = sender.bare
        switch ledger.admit(message, IncomingRecord(peer: peer), at: moment.clock) {
        case .new(let row):
            take(Job(row: row, message: message, sender: sender, peer: peer), at: moment)
        case .duplicate:
            log.debug("duplicate", "A message came twice; it is handled once.", ["from": peer.bareText])
        case .refused:
            let job = Job(row: Self.noRow, message: message, sender: sender, peer: peer)
            notify(job, Phrases.full, at: moment)
        }
    }

    /// Runs the job now, or behind those of its conversation that came before.
    func take(_ job: Job, at moment: Moment) {
        if pause != nil {
            takePaused(job, at: moment)
        } else if !lanes.isEmpty && lanes[job.peer] != nil && !overtakes(job) {
            wait(job, at: moment)
        } else if isLimited && !mayGoOn(job, at: moment) {
            slow(job, at: moment)
        } else {
            handle(job, at: moment)
        }
    }

    /// Decides about a job whose turn it is.
    func handle(_ job: Job, at moment: Moment) {
        guard let text = job.text else {
            handlePayload(job, at: moment)
            return
        }
        guard text.utf8.count <= settings.textLimit else {
            settle(job, .declined, reason: "too long")
            notify(job, Phrases.tooLong(limit: settings.textLimit), at: moment)
            return
        }
        let route = router.route(text)
        if !confirmations.isEmpty, confirmations[job.peer] != nil, answers(job, text, route, at: moment) { return }
        guard passesBrake(job, text, route, at: moment) else { return }
        switch route {
        case .command(let place, let arguments):
            perform(Work(runnable: commands[place], arguments: arguments), job, at: moment)
        case .otherwise:
            guard let otherwise else { return }
            perform(Work(runnable: otherwise, arguments: text), job, at: moment)
        case .builtin(let builtin, let arguments):
            perform(builtin, arguments, job, at: moment)
        case .unknown(let name):
            settle(job, .declined, reason: "unknown command")
            notify(job, help.unknown(name, to: access(of: job.sender)), at: moment)
        case .nothing:
            settle(job, .declined, reason: "not a command")
        }
    }

    private func handlePayload(_ job: Job, at moment: Moment) {
        guard let payloadHandler else {
            settle(job, .declined, reason: "not a command")
            return
        }
        perform(Work(runnable: payloadHandler, arguments: ""), job, at: moment)
    }

    private func perform(_ work: Work, _ job: Job, at moment: Moment) {
        guard work.runnable.isPlain else { return performGuarded(work, job, at: moment) }
        run(work, job, at: moment)
    }

    /// Calls the handler on the spot, or begins its task.
    func run(_ work: Work, _ job: Job, at moment: Moment) {
        let runnable = work.runnable
        if runnable.rules.isInline, case .immediate(let handler) = runnable.handler {
            call(handler, work, job, at: moment)
        } else {
            begin(work, job, at: moment)
        }
    }

    private func perform(_ builtin: Builtin, _ arguments: String, _ job: Job, at moment: Moment) {
        let decision = decide(job, settings.permissions.policy(for: builtin))
        guard decision.isAllowed else { return deny(job, decision, at: moment) }
        settle(job, .handled)
        var output = Output(of: nil)
        let answer: String?
        switch builtin {
        case .more:
            audit(job, decision, .answered, at: moment)
            return sayMore(to: job, at: moment)
        case .cancel:
            audit(job, decision, .answered, at: moment)
            return cancel(arguments, job, at: moment)
        case .help: answer = help.answer(to: access(of: job.sender), about: arguments)
        case .whoami: answer = whoami(job)
        case .why: answer = why(arguments)
        case .audit: answer = recentRuns(arguments)
        case .requests: answer = Phrases.pending(requests.pending)
        case .outbox: answer = outbox(arguments, from: job.peer, at: moment)
        case .accept: answer = answerRequests(arguments, accepting: true, from: job.peer, at: moment)
        case .deny: answer = answerRequests(arguments, accepting: false, from: job.peer, at: moment)
        case .presence: answer = presence(arguments)
        // Nil when the answer comes later.
        case .status, .doctor, .pause, .resume, .reload: answer = operate(builtin, arguments, job, at: moment)
        }
        audit(job, decision, .answered, at: moment)
        guard let answer else { return }
        say(Reply(text: answer, payloads: []), in: &output, to: job, at: moment)
    }

    private func passesBrake(_ job: Job, _ text: String, _ route: Route, at moment: Moment) -> Bool {
        let isCommand: Bool
        switch route {
        case .command, .builtin: isCommand = true
        case .otherwise, .unknown, .nothing: isCommand = false
        }
        switch brake?.received(text, from: job.peer, isCommand: isCommand, now: moment.now) ?? .answer {
        case .answer:
            return true
        case .stop(let isFirst):
            settle(job, .declined, reason: "loop")
            if isFirst { stoppedCircle(with: job.peer, at: moment) }
            return false
        }
    }

    private func stoppedCircle(with person: JID, at moment: Moment) {
        log.warning(
            "loop", "Going in circles with another program; not answering until it says something new.",
            ["peer": person.bareText])
        // Above a thousand of them the log has to do.
        guard circling.count < 1_000, circling.insert(person).inserted else { return }
        tellAdmins(Phrases.circle(person), except: person, at: moment)
    }

    func settle(_ job: Job, _ state: RowState, reason: String? = nil) {
        ledger.mark(job.row, state, reason: reason)
    }

    /// Stands for the row of a message that the full ledger did not take.
    static let noRow: RowID = 0

    /// Tells the sender something that they did not ask for, at most three times a minute.
    func notify(_ job: Job, _ sentence: @autoclosure () -> String, at moment: Moment) {
        guard notices.allows(job.peer, now: moment.now) else { return }
        send(Reply(text: sentence(), payloads: []), to: job, ordinal: 0, at: moment)
    }
}
