package import BellhopXMPP

/// How far an account's archive on its server was read.
package struct ArchivePosition: Equatable, Sendable {
    /// The archive's id of the last message that is known; nil where only a time is.
    package var after: String?
    /// When that message was filed, or from when on everything is to be read.
    package var filedAt: Timestamp
    package var state: State

    /// The numbers are stored.
    package enum State: Int64, Sendable {
        /// Everything up to there was read, and what was logged since may be further.
        case read = 0
        /// What was said while the bot was away is being read, or that was cut off: what was logged since does not move it.
        case catchingUp = 1
        /// Likewise what was said before the first login.
        case history = 2
    }

    package var isUnfinished: Bool { state != .read }

    package init(after: String?, filedAt: Timestamp, state: State) {
        self.after = after
        self.filedAt = filedAt
        self.state = state
    }
}
