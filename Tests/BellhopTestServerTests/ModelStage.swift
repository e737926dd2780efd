import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopTestServer

/// The model alone, played by hand: XML in, what each connection gets out.
struct ModelStage {
    static let account = "opsbot@bots.example.test"
    static let alice = "alice@bots.example.test"
    static let namespaces = "xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'"

    var server: SimulatedServer
    /// Milliseconds since the beginning, for both clocks.
    var time: Int64 = 1_000_000

    init(seed: UInt64 = 1, _ change: (inout SimulatedServerOptions) -> Void = { _ in }) {
        var options = SimulatedServerOptions(mechanisms: ["PLAIN"])
        change(&options)
        server = SimulatedServer(options, seed: seed)
    }

    var moment: SimulatedMoment {
        SimulatedMoment(now: .milliseconds(time), clock: Timestamp(milliseconds: time))
    }

    /// What the server did, one line each: `1 <element/>`, `1 close`.
    mutating func effects() -> [String] {
        server.takeEffects().map { effect in
            switch effect {
            case .open(let connection, _): "\(connection) open"
            case .write(let connection, let element): "\(connection) \(element.serialized(in: "jabber:client"))"
            case .restart(let connection): "\(connection) restart"
            case .startTLS(let connection): "\(connection) TLS"
            case .close(let connection): "\(connection) close"
            case .drop(let connection): "\(connection) drop"
            }
        }
    }

    /// The client sends elements on this connection.
    @discardableResult
    mutating func send(_ xml: String..., on connection: Int = 1) throws -> [String] {
        for text in xml {
            let all = try Element.parse("<all \(Self.namespaces)>\(text)</all>")
            for element in all.children { server.received(.element(element), on: connection, at: moment) }
        }
        return effects()
    }

    @discardableResult
    mutating func open(_ connection: Int = 1, to domain: String = "bots.example.test") throws -> [String] {
        let header = Element("stream", namespace: "http://etherx.jabber.org/streams").with("to", domain)
        server.received(.opened(header), on: connection, at: moment)
        return effects()
    }

    /// From the connection to authenticated features.
    mutating func authenticate(_ connection: Int = 1) throws {
        server.connected(connection, at: moment)
        try open(connection)
        // \0opsbot\0secret
        try send(
            "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>AG9wc2JvdABzZWNyZXQ=</auth>",
            on: connection)
        try open(connection)
    }

    mutating func bind(_ connection: Int = 1, resource: String = "main") throws {
        try authenticate(connection)
        try send(
            "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>\(resource)</resource></bind></iq>",
            on: connection)
    }

    /// The whole way: bound, managed if wanted, and available. Returns the session's id for resumption.
    @discardableResult
    mutating func login(
        _ connection: Int = 1, resource: String = "main", managed: Bool = true
    ) throws -> String? {
        try bind(connection, resource: resource)
        var id: String?
        if managed {
            let answer = try send("<enable xmlns='urn:xmpp:sm:3' resume='true'/>", on: connection)
            id = answer.first.flatMap { line in
                line.split(separator: " id='").dropFirst().first?.split(separator: "'").first.map(String.init)
            }
        }
        try send("<presence/>", on: connection)
        if managed { try send("<a xmlns='urn:xmpp:sm:3' h='1'/>", on: connection) }
        return id
    }

    /// A person says something; what the server did about it.
    @discardableResult
    mutating func say(_ body: String, id: String, to: String = account) throws -> [String] {
        server.say(body, from: try JID(Self.alice), to: try JID(to), id: id, at: moment)
        return effects()
    }

    mutating func lose(_ connection: Int = 1) { server.disconnected(connection, at: moment) }

    mutating func pass(_ duration: Duration) -> [String] {
        time += duration.components.seconds * 1_000
        server.timePassed(at: moment)
        return effects()
    }

    /// The ids of the messages among the effects on a connection.
    static func messages(_ effects: [String], on connection: Int = 1) -> [String] {
        effects.filter { $0.hasPrefix("\(connection) <message ") }.map { line in
            line.split(separator: " id='").dropFirst().first?.split(separator: "'").first.map(String.init) ?? "?"
        }
    }
}
