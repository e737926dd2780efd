import BellhopJournal

@testable import Bellhop
@testable import BellhopTestServer

/// What must stand in the journal after a case.
extension CaseDriver {
    /// Lets the bot say goodbye, and reads its journal.
    func checkJournal() async throws {
        if !bot.hasEnded {
            bot.stop()
            if file.expect["closed_by_bot"] == nil { try await wire.answerGoodbye() }
            let code = try await bot.ending()
            if code != .success { fail("ended with \(code)") }
        }
        let rows = try bot.rows()
        let findings = try JournalReader(path: bot.configuration.journal.path).check()
        if !findings.isEmpty { fail("a damaged journal: \(findings)") }
        for (member, value) in file.expect where CaseCatalogue.awaited(file.name, member) == nil {
            switch member {
            case "log": for wanted in value.array ?? [] { checkRow(wanted, rows) }
            case "log_must_not":
                for wanted in value.array ?? [] where rows.contains(where: { fits($0, wanted) }) {
                    fail("a row that must not be: \(wanted)")
                }
            case "log_rows": if rows.count != value.int { fail("\(rows.count) rows") }
            case "incoming_log_rows":
                let count = rows.count { $0.direction == .incoming }
                if count != value.int { fail("\(count) incoming rows") }
            // Every wanted body is compared byte for byte, and every journal is checked.
            case "bytes_equal", "log_intact": if value.bool != true { fail("\(member) is not true") }
            default: continue
            }
        }
    }

    private func checkRow(_ wanted: JSONValue, _ rows: [StoredMessage]) {
        if let name = wanted["peer"]?.string, CaseCatalogue.awaited(file.name, "log of \(name)") != nil { return }
        let count = rows.count { fits($0, wanted) }
        if let exact = wanted["count"]?.int, count != exact { fail("\(count) rows like \(wanted)") }
        if count == 0 { fail("no row like \(wanted) in \(rows)") }
    }

    private func fits(_ row: StoredMessage, _ wanted: JSONValue) -> Bool {
        for (member, value) in wanted.object ?? [:] {
            let text = value.string ?? ""
            let isSame =
                switch member {
                case "dir": row.direction == (text == "in" ? .incoming : .outgoing)
                case "peer": row.peer == text
                case "body": StanzaMatch.isSame(row.body, text)
                case "kind": row.kind == Self.kinds[text]
                case "status": row.state == (text == "failed" ? .failed : nil)
                case "error": row.reason?.hasPrefix(text) == true
                case "corrects":
                    row.payload?.contains("id=\"\(text)\"") == true || row.payload?.contains("id='\(text)'") == true
                case "count": true
                default: false
                }
            if !isSame { return false }
        }
        return true
    }

    /// The kinds of the cases, as this journal calls them.
    private static let kinds: [String: RowKind] = [
        "chat": .chat, "offline": .stale, "correction": .correction, "encrypted": .encrypted,
    ]
}
