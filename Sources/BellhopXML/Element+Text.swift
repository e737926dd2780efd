/// Elements as text, for tests, logs and configuration.
extension Element {
    /// The element as it stands in a document where this default namespace is in force.
    public func serialized(in namespace: String = "") -> String {
        var writer = XMLWriter(in: namespace)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Reads exactly one element; throws what is wrong with the text, by the same rules as for a stream.
    public static func parse(_ xml: String) throws -> Element {
        let parser = StreamParser()
        var events: [StreamEvent] = []
        parser.feed(Array("<document>".utf8).span, into: &events)
        parser.feed(Array(xml.utf8).span, into: &events)
        let hasEndedItself = events.contains(.closed)
        parser.feed(Array("</document>".utf8).span, into: &events)
        if case .failed(let fault)? = events.last { throw fault }
        if !hasEndedItself, events.count == 3, case .element(let element) = events[1], case .closed = events[2] {
            return element
        }
        throw StreamFault.notWellFormed(line: 1, reason: "expected one element, and nothing beside it")
    }
}
