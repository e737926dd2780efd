import BellhopXML

/// The stream parser: no trap, events in order, nothing after a failure, the same events for any portions, and each
/// element the same after being written and read again.
enum StreamParserTarget {
    /// The bytes as they are: mostly broken early.
    static let bytes = FuzzTarget(name: "parser") { data, count in
        StreamParserTarget.check(Array(UnsafeBufferPointer(start: data, count: count)))
    }

    /// Low bytes stand for whole pieces of markup, so that streams stay good for longer.
    static let markup = FuzzTarget(name: "markup") { data, count in
        var bytes = Array("<s xmlns='jabber:client' xmlns:p='urn:p'>".utf8)
        for byte in UnsafeBufferPointer(start: data, count: count) {
            if Int(byte) < StreamParserTarget.pieces.count {
                bytes += StreamParserTarget.pieces[Int(byte)]
            } else {
                bytes.append(byte)
            }
        }
        return StreamParserTarget.check(bytes)
    }

    private static let pieces = [
        "<a>", "</a>", "<p:b>", "</p:b>", "<a", " c='", "' ", "'>", "'/>", "/>", "<p:b", " p:d='", " xml:lang='",
        " xmlns='", " xmlns:p='",
        "urn:p", "urn:q", "jabber:client", "</s>", "<![CDATA[", "]]>", "&amp;", "&#13;", "&#x1F600;", "&lt;", "\r\n",
        "\r", "\n", "\t",
        "é", "密", "😀",
    ].map { Array($0.utf8) }

    private static func check(_ bytes: [UInt8]) -> Int32 {
        let limits = ParserLimits(stanzaBytes: 10_000, depth: 16, attributes: 16, attributeBytes: 2_000)
        let whole = StreamParserTarget.events(bytes, portion: max(1, bytes.count), limits)
        let portion = bytes.first.map { Int($0 % 7) + 1 } ?? 1
        let cut = StreamParserTarget.events(bytes, portion: portion, limits)
        StreamParserTarget.compare(whole, cut)
        let elements = whole.filter { if case .element = $0 { true } else { false } }
        if elements.isEmpty { return 0 }
        var writer = XMLWriter(stream: "jabber:client")
        for case .element(let element) in elements { writer.write(element) }
        let header = "<s:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' xmlns:s='urn:s'>"
        let again = StreamParserTarget.events(Array(header.utf8) + writer.bytes, portion: 1 << 20, ParserLimits())
        if Array(again.dropFirst()) != elements { fatalError("written and read again: \(elements) became \(again)") }
        return 0
    }

    /// Where one of two readings failed, the other may have come further: `]]>` in a text is only an error when its three
    /// bytes come together.
    private static func compare(_ whole: [StreamEvent], _ cut: [StreamEvent]) {
        let sound = [whole, cut].map { $0.filter { if case .failed = $0 { false } else { true } } }
        let haveFailed = whole.count != sound[0].count || cut.count != sound[1].count
        let common = min(sound[0].count, sound[1].count)
        if sound[0].prefix(common) != sound[1].prefix(common) || (!haveFailed && whole != cut) {
            fatalError("whole: \(whole), cut: \(cut)")
        }
    }

    private static func events(_ bytes: [UInt8], portion: Int, _ limits: ParserLimits) -> [StreamEvent] {
        let parser = StreamParser(limits: limits)
        var events: [StreamEvent] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + portion)
            parser.feed(Array(bytes[start..<end]).span, into: &events)
            start = end
        }
        for (index, event) in events.enumerated() {
            switch event {
            case .opened: if index > 0 { fatalError("a second root: \(events)") }
            case .element: if index == 0 { fatalError("an element before the root: \(events)") }
            case .closed, .failed: if index < events.count - 1 { fatalError("an event after the end: \(events)") }
            }
        }
        return events
    }
}
