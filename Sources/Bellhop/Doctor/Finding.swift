/// What `doctor` says of one thing.
package struct Finding: Equatable, Sendable {
    package var check: DoctorCheck
    package var verdict: Verdict
    /// A sentence.
    package var what: String
    /// What to do about it; nil where nothing is to be done, or the sentence says it.
    package var advice: String?

    package enum Verdict: String, CaseIterable, Sendable {
        case ok
        /// Good to know, and no harm.
        case note
        /// The bot works, and does without something.
        case degraded
        /// The bot does not work like that.
        case failed
        /// Not looked at, since something else is in the way.
        case skipped
    }

    package init(_ check: DoctorCheck, _ verdict: Verdict, _ what: String, advice: String? = nil) {
        self.check = check
        self.verdict = verdict
        self.what = what
        self.advice = advice
    }
}
