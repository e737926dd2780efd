package import BellhopXMPP

/// How far an account's archive on its server was read.
package struct ArchivePosition: Equatable, Sendable {
    /// The archive's id of the last message that is known; nil where only a time is.
    package var after: String?
    /// When that message was filed, or from when on everything is to be read.
    package var filedAt: Timestamp
    /// Whether a reading is under way, or was cut off: what was logged since does not move it.
    package var isUnfinished: Bool

    package init(after: String?, filedAt: Timestamp, isUnfinished: Bool) {
        self.after = after
        self.filedAt = filedAt
        self.isUnfinished = isUnfinished
    }
}
