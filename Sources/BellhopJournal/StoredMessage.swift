package import BellhopXMPP

/// One row of the log as it is read.
package struct StoredMessage: Sendable, Equatable {
    package var row: RowID
    package var account: AccountID
    package var direction: Direction
    package var kind: RowKind
    package var state: RowState
    /// Why it was declined or failed.
    package var reason: String?
    package var peer: String
    package var resource: String?
    package var id: String?
    package var originID: String?
    package var archiveID: String?
    package var thread: String?
    package var body: String?
    package var payload: String?
    /// How many characters the body had, where it was cut or not kept; nil when it is whole.
    package var fullLength: Int?
    package var receivedAt: Timestamp
    package var sentAt: Timestamp?
    /// The row of the command that this message answers.
    package var answers: RowID?
    /// Which of the answers to that command it is, from 0.
    package var ordinal: Int
}
