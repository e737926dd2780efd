internal import BellhopDiagnostics
package import BellhopXMPP

/// One conversation as `log list` shows it.
package struct ConversationRow: Equatable, Sendable {
    package var peer: String
    package var count: Int
    package var last: Timestamp
    /// The newest body; nil when the newest message has none.
    package var lastLine: String?
    package var direction: LogDirection

    package init(peer: String, count: Int, last: Timestamp, lastLine: String?, direction: LogDirection) {
        self.peer = peer
        self.count = count
        self.last = last
        self.lastLine = lastLine
        self.direction = direction
    }
}

/// Who wrote a message.
package enum LogDirection: String, Sendable { case incoming = "in", outgoing = "out" }

/// One message as `log show` shows it.
package struct MessageRow: Equatable, Sendable {
    package var number: Int64
    package var time: Timestamp
    package var direction: LogDirection
    /// Nil for a message that consists of extension elements alone.
    package var body: String?
    /// How many characters it had, where it is cut or was not kept.
    package var length: Int?
    /// What became of it, in the journal's word, like `handled` or `failed`.
    package var state: String
    /// Why it was declined or failed.
    package var reason: String?

    package init(
        number: Int64, time: Timestamp, direction: LogDirection, body: String?, length: Int? = nil, state: String,
        reason: String? = nil
    ) {
        self.number = number
        self.time = time
        self.direction = direction
        self.body = body
        self.length = length
        self.state = state
        self.reason = reason
    }
}

/// How `log` shows conversations and messages; whatever was said, it can neither move the cursor nor pose as another message.
package struct LogRendering {
    private let offset: (Timestamp) -> Int

    /// `offset` tells how far the clock to show stands from UTC at a moment, in seconds.
    package init(offset: @escaping (Timestamp) -> Int) { self.offset = offset }

    /// In UTC, or in the local time of this machine.
    package init(utc: Bool) {
        self.init { utc ? 0 : WallClock.localOffset(atMilliseconds: $0.milliseconds) }
    }

    // MARK: - log list

    /// A table with a head.
    package func list(_ rows: [ConversationRow]) -> String {
        if rows.isEmpty { return "Nothing was said yet.\n" }
        var table = TextTable()
        table.add(["PEER", "COUNT", "LAST", "", "LAST LINE"])
        for row in rows {
            let line = row.lastLine.map { VisibleText.lines($0).first ?? "" } ?? "(no text)"
            let time = MomentText.show(row.last, offset: offset(row.last))
            table.add([row.peer, "\(row.count)", time, row.direction.rawValue, shortened(line)])
        }
        return table.text
    }

    /// One JSON object a line, times in UTC.
    package static func listJSON(_ rows: [ConversationRow]) -> String {
        rows.map { row in
            JSONText.object([
                ("peer", JSONText.string(row.peer)), ("count", "\(row.count)"),
                ("last", JSONText.string(row.last.description)),
                ("direction", JSONText.string(row.direction.rawValue)),
                ("line", row.lastLine.map { JSONText.string($0) } ?? "null"),
            ]) + "\n"
        }.joined()
    }

    /// At most 60 columns of it.
    private func shortened(_ line: String) -> String {
        var text = ""
        var width = 0
        for character in line {
            width += TextWidth.columns(String(character))
            if width > 60 { return text + "…" }
            text.append(character)
        }
        return text
    }

    // MARK: - log show

    /// Time, direction and body; further lines of a body stand under its first, so that none looks like a message. A `!`
    /// behind the direction says that the last line is not of the body, but tells what became of the message.
    package func message(_ row: MessageRow) -> String {
        let time = MomentText.show(row.time, offset: offset(row.time))
        let note = Self.note(row)
        let direction = row.direction == .incoming ? "in " : "out"
        let head = "\(time)  \(direction)\(note == nil ? " " : "!") "
        let margin = String(repeating: " ", count: head.utf8.count)
        var lines =
            row.body.map { VisibleText.lines($0) } ?? [row.length.map { "(\($0) characters, not kept)" } ?? "(no text)"]
        if let note { lines.append(note) }
        return head + lines.joined(separator: "\n" + margin) + "\n"
    }

    /// One JSON object a line, times in UTC.
    package static func messageJSON(_ row: MessageRow) -> String {
        JSONText.object([
            ("number", "\(row.number)"), ("time", JSONText.string(row.time.description)),
            ("direction", JSONText.string(row.direction.rawValue)),
            ("body", row.body.map { JSONText.string($0) } ?? "null"), ("state", JSONText.string(row.state)),
            ("reason", row.reason.map { JSONText.string($0) } ?? "null"),
        ]) + "\n"
    }

    /// What became of it, where that is not the usual.
    private static func note(_ row: MessageRow) -> String? {
        let state = VisibleText.oneLine(row.state)
        if let reason = row.reason { return "[\(state): \(VisibleText.oneLine(reason))]" }
        switch row.state {
        case "failed", "declined", "interrupted", "queued", "requeued", "dropped": return "[\(state)]"
        default: return nil
        }
    }
}
