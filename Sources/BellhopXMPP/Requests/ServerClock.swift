package import BellhopXML

/// What time it is at the server, as it said once (XEP-0202).
///
/// The stamps of late messages are the server's, so their age is counted by its clock: one of ours that is ten minutes off, or that
/// somebody sets while the bot runs, would make all of them too old or none. From the answer on, time passes by the
/// monotonic clock.
package struct ServerClock: Equatable, Sendable {
    private let answer: Timestamp
    private let moment: Duration

    /// - Parameters:
    ///   - answer: The payload of the server's result; without a time that can be read it makes nil.
    ///   - asked: When the question left, `answered` when its answer came, both monotonic.
    package init?(_ answer: Element, asked: Duration, answered: Duration) {
        guard answer.is("time", Namespace.time), let text = answer.child("utc", Namespace.time)?.text,
            let time = Timestamp(text)
        else { return nil }
        self.answer = time
        // It was read somewhere on the way.
        moment = asked + (answered - asked) / 2
    }

    /// What time it is there at a moment of the monotonic clock.
    package func time(at now: Duration) -> Timestamp { answer + (now - moment) }

    /// How far our wall clock is ahead of the server's; negative where it is behind.
    package func lead(of clock: Timestamp, at now: Duration) -> Duration { clock - time(at: now) }

    /// The question.
    package static var question: Element { Element("time", namespace: Namespace.time) }
}
