internal import BellhopDiagnostics
internal import BellhopXMPP

/// Events: one log line each, and their handlers.
extension Desk {
    /// Something happened to the bot; the house reports what the desk cannot see itself.
    package func occurred(_ event: Event, at moment: Moment) {
        event.write(to: log)
        if let trouble = watch.heard(event, at: moment) { speakUp(trouble, at: moment) }
        if case .rosterChanged(let change) = event { requests.forgetSettled(change.jid.bare) }
        guard !bot.eventHandlers.isEmpty, !isPaused else { return }
        let name = event.name
        for handler in bot.eventHandlers where handler.name == name {
            if !events.add(EventQueue.Entry(event: event, handler: handler)) {
                log.warning(
                    "event dropped", "Event handlers cannot keep up; an event was dropped.", ["event": name.rawValue])
            }
        }
        startNextEvent(at: moment)
    }

    private func startNextEvent(at moment: Moment) {
        guard let (number, entry) = events.takeNext() else { return }
        let post = post
        let handle = outlet.bot
        let task = Task(executorPreference: taskExecutor) {
            do {
                try await entry.handler.run(entry.event, handle)
                post(.finishedEvent(number, failure: nil))
            } catch {
                post(.finishedEvent(number, failure: String(reflecting: error)))
            }
        }
        events.running = EventQueue.Running(
            number: number, name: entry.handler.name, deadline: moment.now + settings.handlerLimit, task: task)
    }

    func eventHandlerFinished(_ number: UInt64, failure: String?, at moment: Moment) {
        guard let running = events.running, running.number == number else { return }
        events.running = nil
        if let failure {
            log.error(
                "handler failed", "An event handler threw an error.",
                ["handler": "On(.\(running.name.rawValue))", "error": failure])
        }
        startNextEvent(at: moment)
    }

    func stopLateEventHandler(at moment: Moment) {
        guard let running = events.running, running.deadline <= moment.now else { return }
        running.task.cancel()
        events.running = nil
        log.warning(
            "handler stopped", "An event handler took too long and was cancelled.",
            ["handler": "On(.\(running.name.rawValue))"])
        startNextEvent(at: moment)
    }
}
