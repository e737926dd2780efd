package import BellhopXML

/// What was written to a stream and is not acknowledged, in order.
///
/// Messages are in the journal, so their row is enough; a request or a presence stands here whole, or is only counted where
/// writing it again would help nobody.
package struct OutgoingQueue: Equatable, Sendable {
    package enum Entry: Equatable, Sendable {
        /// The message in this row.
        case message(row: Int64)
        case stanza(Element)
        /// Takes a number and is not written again.
        case counted
    }

    /// A row for a message, 0 for what is only counted, and below that a key of `stanzas`.
    private var entries: [Int64] = []
    private var first = 0
    private var stanzas: [Int64: Element] = [:]
    private var lastKey: Int64 = 0
    /// How many messages of the journal are in it.
    package private(set) var rowCount = 0

    package init() {}

    package var count: Int { entries.count - first }

    package mutating func append(row: Int64) {
        entries.append(max(row, 0))
        if row > 0 { rowCount += 1 }
    }

    package mutating func append(_ entry: Entry) {
        switch entry {
        case .message(let row): append(row: row)
        case .counted: entries.append(0)
        case .stanza(let stanza):
            lastKey -= 1
            stanzas[lastKey] = stanza
            entries.append(lastKey)
        }
    }

    /// Drops as many from the front; the rows among them, and whether a whole stanza was.
    package mutating func removeFirst(_ count: Int) -> (rows: [Int64], hadStanza: Bool) {
        let end = first + min(max(count, 0), self.count)
        var rows: [Int64] = []
        rows.reserveCapacity(end - first)
        var hadStanza = false
        for index in first..<end {
            if entries[index] > 0 {
                rows.append(entries[index])
            } else if entries[index] < 0 {
                stanzas[entries[index]] = nil
                hadStanza = true
            }
        }
        rowCount -= rows.count
        first = end
        if first == entries.count {
            entries.removeAll(keepingCapacity: entries.capacity <= 1_024)
            first = 0
        } else if first >= 1_024 {
            entries.removeFirst(first)
            first = 0
        }
        return (rows, hadStanza)
    }

    /// All of it, in order.
    package var all: [Entry] { entries[first...].map(entry) }

    /// The rows in it, in order.
    package var rows: [Int64] { entries[first...].filter { $0 > 0 } }

    /// The whole stanzas in it, in order.
    package var wholeStanzas: [Element] { entries[first...].compactMap { stanzas[$0] } }

    private func entry(_ value: Int64) -> Entry {
        if value > 0 { return .message(row: value) }
        return stanzas[value].map(Entry.stanza) ?? .counted
    }

    package static func == (a: Self, b: Self) -> Bool { a.all == b.all }
}
