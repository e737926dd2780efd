internal import BellhopDiagnostics
internal import BellhopXMPP

/// The bot speaks up: what goes wrong is said in the chat, and not only in a log that nobody reads.
extension Desk {
    /// Tells those whom the configuration names, at most once an hour for each kind.
    package func speakUp(_ trouble: Trouble, at moment: Moment) {
        guard troubleLimit.allows(trouble.kind, now: moment.now) else { return }
        let sentence = Phrases.trouble(trouble)
        log.warning("trouble", sentence, ["told": settings.notified.map(\.bareText).joined(separator: " ")])
        for person in settings.notified { send(sentence, to: person, at: moment) }
    }

    /// A handler threw an error or took too long; its log line is written.
    func handlerFailed(_ name: String, at moment: Moment) {
        if let trouble = watch.handlerFailed(name) { speakUp(trouble, at: moment) }
    }
}
