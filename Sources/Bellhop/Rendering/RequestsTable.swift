internal import BellhopDiagnostics
package import BellhopXMPP

/// One contact request as `requests` shows it.
package struct RequestRow: Equatable, Sendable {
    package var number: Int
    package var jid: String
    package var askedAt: Timestamp

    package init(number: Int, jid: String, askedAt: Timestamp) {
        self.number = number
        self.jid = jid
        self.askedAt = askedAt
    }
}

extension RequestRow {
    /// One JSON object, its time in UTC.
    var json: String {
        JSONText.object([
            ("number", "\(number)"), ("jid", JSONText.string(jid)), ("since", JSONText.string(askedAt.description)),
        ])
    }
}

/// How `requests` shows what waits for an answer.
package enum RequestsTable {
    /// A table with a head; `offset` tells how far the clock to show stands from UTC at a moment, in seconds.
    package static func text(_ rows: [RequestRow], offset: (Timestamp) -> Int) -> String {
        if rows.isEmpty { return "No request is waiting.\n" }
        var table = TextTable()
        table.add(["NUMBER", "JID", "SINCE"])
        for row in rows {
            table.add(["\(row.number)", row.jid, MomentText.show(row.askedAt, offset: offset(row.askedAt))])
        }
        return table.text
    }

    /// One JSON object a line, times in UTC.
    package static func json(_ rows: [RequestRow]) -> String {
        rows.map { $0.json + "\n" }.joined()
    }
}

/// How `requests --dry-run` shows a decision.
package enum DryRunLine {
    /// Address, action, and what decides (`subscriptions.rules[2]`, `default` or `admins`), with tabs between them.
    package static func text(jid: String, action: String, decider: String) -> String {
        [jid, action, decider].map { VisibleText.oneLine($0) }.joined(separator: "\t") + "\n"
    }
}

/// Moments as a person reads them.
package enum MomentText {
    /// `2026-11-30 03:31:00 +01:00`.
    package static func show(_ moment: Timestamp, offset: Int) -> String {
        let time = CivilTime(milliseconds: moment.milliseconds, offset: offset)
        return "\(time.date) \(time.time) \(time.offsetText)"
    }
}
