internal import BellhopDiagnostics

/// One contact as `roster` shows it.
package struct RosterRow: Equatable, Sendable {
    package var jid: String
    package var name: String?
    /// `none`, `to`, `from` or `both`.
    package var state: String
    /// Whether our own request still waits for an answer.
    package var asks: Bool
    package var groups: [String]
    /// Where the contact is online; nil where nobody knows, because the bot shows no presence itself.
    package var online: [Resource]?

    /// One place where the contact is online.
    package struct Resource: Equatable, Sendable {
        package var name: String
        /// `available`, `away`, `chat`, `dnd` or `xa`.
        package var show: String
        package var status: String?

        package init(name: String, show: String, status: String? = nil) {
            self.name = name
            self.show = show
            self.status = status
        }
    }

    package init(
        jid: String, name: String? = nil, state: String, asks: Bool = false, groups: [String] = [],
        online: [Resource]? = []
    ) {
        self.jid = jid
        self.name = name
        self.state = state
        self.asks = asks
        self.groups = groups
        self.online = online
    }
}

extension RosterRow {
    /// One JSON object; `online` is null where nobody knows.
    var json: String {
        JSONText.object([
            ("jid", JSONText.string(jid)), ("name", name.map(JSONText.string) ?? "null"),
            ("state", JSONText.string(state)), ("ask", "\(asks)"),
            ("groups", JSONText.array(groups.map(JSONText.string))),
            ("online", online.map { JSONText.array($0.map(\.json)) } ?? "null"),
        ])
    }
}

extension RosterRow.Resource {
    var json: String {
        JSONText.object([
            ("resource", JSONText.string(name)), ("show", JSONText.string(show)),
            ("status", status.map(JSONText.string) ?? "null"),
        ])
    }
}

/// How `roster` shows the contacts.
package enum RosterTable {
    /// A table with a head; each further place where a contact is online has a line of its own.
    package static func text(_ rows: [RosterRow]) -> String {
        if rows.isEmpty { return "The roster is empty.\n" }
        var table = TextTable()
        table.add(["NAME", "JID", "STATE", "ASK", "GROUPS", "ONLINE"])
        for row in rows {
            let online = row.online.map { $0.map(Self.online) } ?? ["?"]
            let groups = row.groups.joined(separator: ", ")
            table.add([row.name ?? "", row.jid, row.state, row.asks ? "ask" : "", groups, online.first ?? ""])
            for other in online.dropFirst() { table.add(["", "", "", "", "", other]) }
        }
        return table.text
    }

    /// One JSON object a line.
    package static func json(_ rows: [RosterRow]) -> String {
        rows.map { $0.json + "\n" }.joined()
    }

    private static func online(_ resource: RosterRow.Resource) -> String {
        let status = resource.status.map { $0.isEmpty ? "" : ": \($0)" } ?? ""
        return "\(resource.name) (\(resource.show)\(status))"
    }
}
