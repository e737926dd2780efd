internal import BellhopDiagnostics
package import BellhopXMPP

/// One run, or one denial, as `audit` shows it.
package struct AuditRow: Equatable, Sendable {
    /// The message's number in the log.
    package var row: Int64
    package var time: Timestamp
    package var jid: String
    package var command: String
    package var typed: String
    package var rule: String
    package var outcome: String
    package var code: String?
    /// In milliseconds.
    package var duration: Int64?

    package init(
        row: Int64, time: Timestamp, jid: String, command: String, typed: String, rule: String, outcome: String,
        code: String? = nil, duration: Int64? = nil
    ) {
        self.row = row
        self.time = time
        self.jid = jid
        self.command = command
        self.typed = typed
        self.rule = rule
        self.outcome = outcome
        self.code = code
        self.duration = duration
    }
}

/// How `audit` shows who ran what.
package enum AuditTable {
    /// A table with a head; `offset` tells how far the clock to show stands from UTC at a moment, in seconds.
    package static func text(_ rows: [AuditRow], offset: (Timestamp) -> Int) -> String {
        if rows.isEmpty { return "Nothing was run in that time that is not open to everybody.\n" }
        var table = TextTable()
        table.add(["TIME", "WHO", "OUTCOME", "MS", "DECIDED BY", "TYPED"])
        for row in rows {
            table.add([
                MomentText.show(row.time, offset: offset(row.time)), row.jid,
                row.code.map { "\(row.outcome) \($0)" } ?? row.outcome, row.duration.map { "\($0)" } ?? "", row.rule,
                shortened(row.typed.isEmpty ? row.command : row.typed),
            ])
        }
        return table.text
    }

    /// One JSON object a line, times in UTC.
    package static func json(_ rows: [AuditRow]) -> String {
        rows.map { row in
            JSONText.object([
                ("number", "\(row.row)"), ("time", JSONText.string(row.time.description)),
                ("jid", JSONText.string(row.jid)), ("command", JSONText.string(row.command)),
                ("typed", JSONText.string(row.typed)), ("rule", JSONText.string(row.rule)),
                ("outcome", JSONText.string(row.outcome)), ("code", row.code.map { JSONText.string($0) } ?? "null"),
                ("milliseconds", row.duration.map { "\($0)" } ?? "null"),
            ]) + "\n"
        }.joined()
    }

    private static func shortened(_ text: String) -> String {
        let line = text.prefix { !$0.isNewline }
        return line.count > 60 || line.endIndex < text.endIndex ? line.prefix(60) + "…" : String(line)
    }
}
