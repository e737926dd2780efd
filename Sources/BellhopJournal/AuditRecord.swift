internal import BellhopSQLite
package import BellhopXMPP

/// One run of something that is not open to everybody, or an attempt at it, as it is stored.
package struct AuditRecord: Sendable, Equatable {
    /// The row of the message that it came from.
    package var row: RowID
    package var account: AccountID
    package var at: Timestamp
    /// The bare address of who wrote it.
    package var jid: String
    package var command: String
    package var typed: String
    /// What decided, like `roles.ops[2]`.
    package var rule: String
    /// What became of it, in the word of whoever brings it.
    package var outcome: String
    package var code: String?
    /// How long it ran, in milliseconds; nil while it does, and where nobody knows.
    package var duration: Int64?

    package init(
        row: RowID, account: AccountID, at: Timestamp, jid: String, command: String, typed: String, rule: String,
        outcome: String, code: String? = nil, duration: Int64? = nil
    ) {
        self.row = row
        self.account = account
        self.at = at
        self.jid = jid
        self.command = command
        self.typed = typed
        self.rule = rule
        self.outcome = outcome
        self.code = code
        self.duration = duration
    }

    static let columns = "seq, account, at, jid, command, typed, rule, outcome, code, duration"

    /// Reads the row that the statement is at.
    init(_ statement: Statement) {
        row = RowID(statement.integer(0))
        account = AccountID(statement.integer(1))
        at = Timestamp(milliseconds: statement.integer(2))
        jid = statement.text(3) ?? ""
        command = statement.text(4) ?? ""
        typed = statement.text(5) ?? ""
        rule = statement.text(6) ?? ""
        outcome = statement.text(7) ?? ""
        code = statement.text(8)
        duration = statement.optionalInteger(9)
    }
}
