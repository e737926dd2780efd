internal import BellhopCrypto
internal import BellhopTransport
package import BellhopXML
internal import Synchronization

/// One client's connection, as a script sees it.
///
/// What the client sends waits in order until the script asks for it. `expect` takes the first stanza that matches and
/// leaves the others for later; `quiet` proves that nothing is left.
package final class TestConnection: Sendable {
    /// 1 for the server's first connection.
    package let number: Int
    let options: TestServerOptions
    let ids = Counter()
    let facts = Mailbox<ConnectionFact> { $0.text }
    private let orders: Inbox<ConnectionLoop.Order>
    private let wakeup: Wakeup
    private let discovery = Mutex<Discovery?>(nil)
    /// What is known of the TLS session; nil before there is one.
    private let line = Mutex<SecuredLine?>(nil)

    init(number: Int, options: TestServerOptions, wakeup: Wakeup) {
        self.number = number
        self.options = options
        self.wakeup = wakeup
        orders = Inbox(wakeup: wakeup)
    }

    /// Owns the socket, on the calling thread, until the connection is over.
    func serve(_ socket: consuming Socket) {
        let tls = options.isDirectTLS ? options.tls.flatMap { try? TLSSession(server: $0) } : nil
        var loop = ConnectionLoop(socket, wakeup: wakeup, orders: orders, tls: tls) { [self] fact in
            if case .stanza(let stanza) = fact, answerDiscovery(stanza) { return }
            facts.post(fact)
            if case .left = fact { facts.end("the client has left") }
        }
        loop.run()
        facts.end("the server dropped the connection")
    }

    /// Notes what is known of the TLS session.
    func secured(_ line: SecuredLine) { self.line.withLock { $0 = line } }

    /// The data of the types of channel binding that the TLS session has.
    var bindings: [String: [UInt8]] {
        let known = line.withLock { $0?.channelBindings } ?? [:]
        return Dictionary(uniqueKeysWithValues: known.map { ($0.key.rawValue, $0.value) })
    }

    func order(_ order: ConnectionLoop.Order) { orders.post(order) }

    // MARK: what the client sent

    /// Takes the first stanza or stream element that has this name, namespace and these attributes, now or later.
    package func expect(
        _ name: String, _ namespace: String = "jabber:client", type: String? = nil, to: String? = nil,
        from: String? = nil, id: String? = nil, where matches: @escaping @Sendable (Element) -> Bool = { _ in true }
    ) async throws -> Element {
        var wanted = Element(name, namespace: namespace)
        for (attribute, value) in [("type", type), ("to", to), ("from", from), ("id", id)] {
            wanted = wanted.with(attribute, value)
        }
        let attributes = wanted.attributes
        return try await facts.take(wanted.serialized(in: "jabber:client"), patience: options.patience) { fact in
            guard case .stanza(let stanza) = fact, stanza.is(name, namespace) else { return nil }
            for attribute in attributes where stanza[attribute.name] != attribute.value { return nil }
            return matches(stanza) ? stanza : nil
        }
    }

    /// Takes the first message whose body is this text.
    package func expect(body: String, type: String? = nil, to: String? = nil) async throws -> Element {
        try await expect("message", type: type, to: to) { $0.child("body", "jabber:client")?.text == body }
    }

    /// Takes the start tag of the client's next stream.
    package func expectStream() async throws -> Element {
        try await facts.take("a stream header", patience: options.patience) { fact in
            if case .opened(let header) = fact { header } else { nil }
        }
    }

    /// Waits for the client's `</stream:stream>`.
    package func expectStreamEnd() async throws {
        try await facts.take("the end of the stream", patience: options.patience) { $0 == .closedStream ? () : nil }
    }

    /// Waits until the client has ended its side; whether it ended TLS properly before.
    package func expectDeparture() async throws -> Bool {
        try await facts.take("the client's departure", patience: options.patience) { fact in
            if case .left(let properly) = fact { properly } else { nil }
        }
    }

    /// Waits for a break of XML or TLS on the client's side; in words.
    package func expectBreak() async throws -> String {
        try await facts.take("a broken stream", patience: options.patience) { fact in
            if case .broke(let reason) = fact { reason } else { nil }
        }
    }

    /// What the client sent that no script has asked for yet, in words.
    package var unread: [String] { facts.left }

    /// Proves that the client has sent nothing more: asks it for a ping, and what it sent before must come before.
    ///
    /// Whatever is unread then is a failure, except results of our own questions, acknowledgements, and questions about
    /// features.
    package func quiet(of client: String? = nil) async throws {
        let id = "quiet-\(number)-\(ids.next())"
        var ping = Element("iq", namespace: "jabber:client", attributes: [Element.Attribute("type", "get")])
            .with("from", options.domain).with("to", client).with("id", id)
        ping.nodes = [.element(Element("ping", namespace: "urn:xmpp:ping"))]
        send(ping.serialized(in: "jabber:client"))
        _ = try await expect("iq", id: id)
        let left = facts.left { fact in
            guard case .stanza(let stanza) = fact else { return true }
            if stanza.child("query", Discovery.namespace) != nil { return false }
            if stanza.name == "iq" { return stanza["type"] == "get" || stanza["type"] == "set" }
            return stanza.namespace == "jabber:client"
        }
        if !left.isEmpty {
            throw TestServerFailure(wanted: "quiet", reason: .wrong("the client sent more"), instead: left)
        }
    }

    // MARK: what the server does

    /// Sends XML as it is written here; the default namespace is `jabber:client`, and the prefix `stream` is declared.
    package func send(_ xml: String) { order(.write([Array(xml.utf8)], restartsStream: false)) }

    /// Sends bytes, each segment in a packet and in a TLS record of its own.
    package func sendBytes(_ segments: [[UInt8]]) { order(.write(segments, restartsStream: false)) }

    /// Returns when all that was sent before is in the kernel's hands, so that the client can read it.
    package func handedOver() async throws {
        let number = ids.next()
        order(.report(number))
        try await facts.take("an empty buffer", patience: options.patience) { $0 == .handedOver(number) ? () : nil }
    }

    /// Sends XML after which the client begins a new stream.
    package func sendAndRestart(_ xml: String) { order(.write([Array(xml.utf8)], restartsStream: true)) }

    /// Takes the next question with this payload and answers it with a result that holds the XML.
    @discardableResult
    package func answer(_ payload: String, _ namespace: String, with xml: String = "") async throws -> Element {
        let question = try await expect("iq") { iq in
            (iq["type"] == "get" || iq["type"] == "set") && iq.child(payload, namespace) != nil
        }
        reply(to: question, with: xml)
        return question
    }

    /// Answers what a client asks of the server's and the account's features by itself from now on; nil leaves it to
    /// scripts.
    package func answerDiscovery(_ discovery: Discovery?) { self.discovery.withLock { $0 = discovery } }

    private func answerDiscovery(_ stanza: Element) -> Bool {
        guard stanza.name == "iq", stanza["type"] == "get", let discovery = discovery.withLock({ $0 }),
            let query = stanza.child("query", Discovery.namespace), query["node"] == nil
        else { return false }
        reply(to: stanza, with: discovery.info(about: stanza["to"], of: options.domain))
        return true
    }

    /// Answers a question with a result that holds the XML.
    package func reply(to question: Element, with xml: String = "") {
        let result = Element("iq", namespace: "jabber:client", attributes: [Element.Attribute("type", "result")])
            .with("id", question["id"]).with("from", question["to"])
        let start = result.serialized(in: "jabber:client").dropLast(2)
        send(xml.isEmpty ? start + "/>" : start + ">" + xml + "</iq>")
    }

    /// Ends the stream, TLS and our side of TCP.
    package func close() {
        send("</stream:stream>")
        order(.close)
    }

    /// Lets go of the connection with no word.
    package func drop() { order(.drop) }

    /// Lets go of the connection once so many further bytes have left, encrypted or not.
    package func limit(toBytes count: Int) { order(.limit(count)) }

    /// Lets go of the connection once so many further packets have left, each of which is one answer of the server or one flight of
    /// its handshake.
    package func limit(toSegments count: Int) { order(.limitSegments(count)) }

    /// Keeps the connection but neither reads nor writes until `resume`, like a host that has lost its network.
    package func stall() { order(.stall) }

    package func resume() { order(.resume) }
}
