internal import BellhopXML
internal import BellhopXMPP

/// The archive of an account's messages and its pages (XEP-0313 with XEP-0059).
extension SimulatedServer {
    private static let pages = "http://jabber.org/protocol/rsm"

    /// Puts a message into the archive; its id there, or nil where it is not kept.
    @discardableResult
    mutating func archive(_ message: Element, of account: String, with peer: JID) -> String? {
        guard options.archive != nil, accounts[account] != nil, Self.isToBeKept(message) else { return nil }
        let id = random.token()
        accounts[account]?.archive.append(
            SimulatedAccount.Archived(id: id, peer: peer, stanza: message, at: moment.clock))
        return id
    }

    /// The ids of the messages in an account's archive, oldest first, with the archive's own id of each.
    package func archivedIDs(of account: String) -> [(archiveID: String, id: String?)] {
        accounts[account]?.archive.map { ($0.id, $0.stanza["id"]) } ?? []
    }

    /// Answers `<query xmlns='urn:xmpp:mam:2'/>`.
    mutating func queryArchive(_ iq: Element, _ query: Element, _ index: Int) {
        guard let rules = options.archive, let account = accounts[sessions[index].account] else {
            return transmit(Self.refusal(of: iq, .serviceUnavailable), to: index)
        }
        if iq["type"] == "get" { return answer(iq, with: Self.form, index) }
        guard let matches = Self.matches(query, in: account.archive) else {
            return transmit(Self.refusal(of: iq, .badRequest), to: index)
        }
        guard let page = Page(query.child("set", Self.pages), of: matches, limit: rules.pageLimit) else {
            return transmit(Self.refusal(of: iq, .itemNotFound), to: index)
        }
        for number in page.range {
            let archived = matches[number]
            let delay = Element("delay", namespace: Namespace.delay).with("stamp", archived.at.description)
            let forwarded = Element("forwarded", namespace: Namespace.forward).with(delay).with(archived.stanza)
            let result = Element("result", namespace: Namespace.messageArchive)
                .with("queryid", query["queryid"]).with("id", archived.id).with(forwarded)
            transmit(
                Element("message", namespace: Namespace.client).with("from", account.bare)
                    .with("to", sessions[index].full).with(result), to: index)
        }
        var set = Element("set", namespace: Self.pages)
        if let first = page.range.first, let last = page.range.last {
            set = set.with(
                Element("first", namespace: Self.pages).with("index", "\(first)").with(text: matches[first].id)
            )
            .with(Element("last", namespace: Self.pages).with(text: matches[last].id))
        }
        set = set.with(Element("count", namespace: Self.pages).with(text: "\(matches.count)"))
        let fin = Element("fin", namespace: Namespace.messageArchive)
            .with("complete", page.isLast ? "true" : nil).with(set)
        answer(iq, with: fin, index)
    }

    /// One page of what fits a query.
    private struct Page {
        var range: Range<Int>
        /// Whether nothing more follows in the direction of paging.
        var isLast: Bool

        /// Nil when it is to begin behind a message that is not there.
        init?(_ set: Element?, of matches: [SimulatedAccount.Archived], limit: Int) {
            let size = min(set?.child("max", SimulatedServer.pages).flatMap { Int($0.text) } ?? limit, limit)
            let count = max(0, size)
            func place(_ id: String) -> Int? { matches.firstIndex { $0.id == id } }
            if let before = set?.child("before", SimulatedServer.pages) {
                var end = matches.count
                if !before.text.isEmpty {
                    guard let place = place(before.text) else { return nil }
                    end = place
                }
                range = max(0, end - count)..<end
                isLast = range.lowerBound == 0
                return
            }
            var start = 0
            if let after = set?.child("after", SimulatedServer.pages) {
                guard let place = place(after.text) else { return nil }
                start = place + 1
            }
            range = start..<min(matches.count, start + count)
            isLast = range.upperBound == matches.count
        }
    }

    /// What of an archive the form asks for; nil when the form is wrong.
    private static func matches(
        _ query: Element, in archive: [SimulatedAccount.Archived]
    ) -> [SimulatedAccount.Archived]? {
        var peer: JID?
        var start: Timestamp?
        var end: Timestamp?
        for field in query.child("x", Namespace.dataForms)?.children ?? [] where field.name == "field" {
            let value = field.child("value", Namespace.dataForms)?.text ?? ""
            switch field["var"] {
            case "with"?:
                guard let jid = try? JID(received: value) else { return nil }
                peer = jid
            case "start"?:
                guard let moment = Timestamp(value) else { return nil }
                start = moment
            case "end"?:
                guard let moment = Timestamp(value) else { return nil }
                end = moment
            case "FORM_TYPE"? where value == Namespace.messageArchive: continue
            default: return nil
            }
        }
        return archive.filter { archived in
            if let start, archived.at < start { return false }
            if let end, archived.at > end { return false }
            guard let peer else { return true }
            return peer.isBare ? archived.peer.bareText == peer.bareText : archived.peer == peer
        }
    }

    private static var form: Element {
        var form = Element("x", namespace: Namespace.dataForms).with("type", "form")
        for (name, type) in [
            ("FORM_TYPE", "hidden"), ("with", "jid-single"), ("start", "text-single"), ("end", "text-single"),
        ] {
            var field = Element("field", namespace: Namespace.dataForms).with("var", name).with("type", type)
            if type == "hidden" {
                field = field.with(
                    Element("value", namespace: Namespace.dataForms).with(text: Namespace.messageArchive))
            }
            form = form.with(field)
        }
        return Element("query", namespace: Namespace.messageArchive).with(form)
    }
}
