import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("The record of a stream")
struct StoredStreamTests {
    private func stream(_ entries: [OutgoingQueue.Entry] = []) throws -> StoredStream {
        var queue = OutgoingQueue()
        for entry in entries { queue.append(entry) }
        return StoredStream(
            id: "a'<&>\"b", bound: try JID("bot@example.org/süß"), location: HostAddress("[::1]:5223"), handled: .max,
            acknowledged: 3, queue: queue)
    }

    @Test("what was written is read again")
    func roundTrip() throws {
        let presence = Element("presence", namespace: Namespace.client).with("to", "a@b").with("type", "subscribed")
        let queues: [[OutgoingQueue.Entry]] = [
            [], [.message(row: 1)], [.counted, .counted], [.message(row: 5), .message(row: 7), .message(row: 9)],
            [.message(row: 9), .message(row: 5), .message(row: 5)],
            [.message(row: 1), .message(row: 2), .message(row: 4), .message(row: 6), .counted, .message(row: 8)],
            [.stanza(presence), .message(row: .max), .stanza(presence), .message(row: 1)],
        ]
        for queue in queues {
            for shown in [nil, "<presence><status>a 'b' &amp;\n</status></presence>"] {
                var stream = try stream(queue)
                stream.shown = shown
                #expect(StoredStream(text: stream.text) == stream, "\(stream.text)")
            }
        }
    }

    @Test("answers in a row take the room of one")
    func runs() throws {
        let entries = (1...5_000).map { OutgoingQueue.Entry.message(row: $0 * 2) }
        let text = try stream(entries).text
        #expect(text.utf8.count < 250, "\(text)")
        #expect(StoredStream(text: text)?.queue.rows == entries.indices.map { Int64($0 + 1) * 2 })
    }

    @Test(
        "a record that cannot be trusted is none",
        arguments: [
            "", "x", "<stream", "<other/>", "<stream/>", "<stream id='' bound='a@b/c' handled='1' acknowledged='1'/>",
            "<stream id='1' bound='a@b' handled='1' acknowledged='1'/>",
            "<stream id='1' bound='b/c' handled='1' acknowledged='1'/>",
            "<stream id='1' bound='a@b/c' handled='-1' acknowledged='1'/>",
            "<stream id='1' bound='a@b/c' handled='1' acknowledged='4294967296'/>",
            "<stream id='1' bound='a@b/c' handled='1' acknowledged='1'><x/></stream>",
            "<stream id='1' bound='a@b/c' handled='1' acknowledged='1'><rows/></stream>",
            "<stream id='1' bound='a@b/c' handled='1' acknowledged='1'><rows first='-1'/></stream>",
            "<stream id='1' bound='a@b/c' handled='1' acknowledged='1'><rows first='1' step='1' count='0'/></stream>",
            "<stream id='1' bound='a@b/c' handled='1' acknowledged='1'><rows first='1' step='-2' count='2'/></stream>",
            "<stream id='1' bound='a@b/c' handled='1' acknowledged='1'><rows first='1' step='1' count='99999999'/></stream>",
            "<stream id='1' bound='a@b/c' handled='1' acknowledged='1'><rows first='9223372036854775807' step='1' count='2'/></stream>",
            "<stream id='1' bound='a@b/c' handled='1' acknowledged='1'><rows first='1' step='1' count='9223372036854775807'/></stream>",
        ])
    func garbage(text: String) {
        #expect(StoredStream(text: text) == nil)
    }
}
