internal import BellhopXML
package import BellhopXMPP

/// What a process needs to take up the stream of an earlier one (XEP-0198 section 5).
package struct StoredStream: Equatable, Sendable {
    /// The server's name for it; as long as `longestID` bytes at most.
    package var id: String
    /// The full address that is bound to it.
    package var bound: JID
    /// Where the server would like it to be resumed.
    package var location: HostAddress?
    package var handled: UInt32
    package var acknowledged: UInt32
    package var queue: OutgoingQueue
    /// The presence that was shown last, as it was written; nil where none was.
    package var shown: String?

    /// The specification allows 4,000.
    package static let longestID = 4_000
    /// More than a stream holds is no record of ours.
    private static let mostEntries = StreamManagement.most

    package init(
        id: String, bound: JID, location: HostAddress? = nil, handled: UInt32, acknowledged: UInt32,
        queue: OutgoingQueue = OutgoingQueue()
    ) {
        self.id = id
        self.bound = bound
        self.location = location
        self.handled = handled
        self.acknowledged = acknowledged
        self.queue = queue
    }

    private static let namespace = ""

    /// The record as text. Rows that follow each other at one distance, as answers do, are one element.
    package var text: String {
        var writer = XMLWriter()
        writer.open("stream", Self.namespace)
        writer.attribute("id", id)
        writer.attribute("bound", "\(bound)")
        writer.attribute("location", location?.description)
        writer.attribute("handled", "\(handled)")
        writer.attribute("acknowledged", "\(acknowledged)")
        writer.attribute("shown", shown)
        var run: (first: Int64, step: Int64, count: Int64)?
        func end() {
            guard let ended = run else { return }
            run = nil
            writer.open("rows", Self.namespace)
            writer.attribute("first", "\(ended.first)")
            if ended.count > 1 {
                writer.attribute("step", "\(ended.step)")
                writer.attribute("count", "\(ended.count)")
            }
            writer.close()
        }
        for entry in queue.all {
            switch entry {
            case .message(let row):
                if let (first, step, count) = run {
                    let last = first + step * (count - 1)
                    if count == 1 || row - last == step {
                        run = (first, row - last, count + 1)
                        continue
                    }
                    end()
                }
                run = (row, 0, 1)
            case .counted:
                end()
                writer.open("counted", Self.namespace)
                writer.close()
            case .stanza(let stanza):
                end()
                writer.write(stanza)
            }
        }
        end()
        writer.close()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Reads a record; nil for one that cannot be trusted, and then the stream begins anew.
    package init?(text: String) {
        guard let element = try? Element.parse(text), element.is("stream", Self.namespace),
            let id = element["id"], !id.isEmpty, id.utf8.count <= Self.longestID,
            let bound = element["bound"].flatMap({ try? JID(received: $0) }), bound.hasLocal, !bound.isBare,
            let handled = element["handled"].flatMap({ UInt32($0) }),
            let acknowledged = element["acknowledged"].flatMap({ UInt32($0) }),
            let queue = Self.queue(element.children)
        else { return nil }
        self.init(
            id: id, bound: bound, location: element["location"].flatMap { HostAddress($0) }, handled: handled,
            acknowledged: acknowledged, queue: queue)
        shown = element["shown"]
    }

    private static func queue(_ children: [Element]) -> OutgoingQueue? {
        var queue = OutgoingQueue()
        for child in children {
            switch (child.name, child.namespace) {
            case ("counted", namespace): queue.append(.counted)
            case ("rows", namespace):
                guard let first = child["first"].flatMap({ Int64($0) }), first >= 0,
                    let step = child["step"] == nil ? 0 : child["step"].flatMap({ Int64($0) }),
                    let count = child["count"] == nil ? 1 : child["count"].flatMap({ Int($0) }), count > 0,
                    queue.count + count <= mostEntries
                else { return nil }
                var row = first
                for index in 0..<count {
                    if index > 0 {
                        let (next, overflow) = row.addingReportingOverflow(step)
                        guard !overflow, next >= 0 else { return nil }
                        row = next
                    }
                    queue.append(row: row)
                }
            case (_, Namespace.client): queue.append(.stanza(child))
            default: return nil
            }
            guard queue.count <= mostEntries else { return nil }
        }
        return queue
    }
}
