import BellhopCrypto
package import BellhopTransport
import BellhopXML
import BellhopXMPP

/// A login step by step, by PLAIN inside TLS, up to the initial presence.
package struct Login: Sendable {
    package var name: String
    package var password: String
    package var resource: String
    /// Makes the account first; one that is there already is no fault.
    package var registers: Bool
    /// Below 0 the server sends it nothing that goes to the bare JID.
    package var priority: Int

    package init(name: String, password: String, resource: String, registers: Bool, priority: Int = 0) {
        self.name = name
        self.password = password
        self.resource = resource
        self.registers = registers
        self.priority = priority
    }

    package func perform(at server: RealServer, wakeup: Wakeup) throws -> RawStream {
        let stream = try authenticate(at: server, wakeup: wakeup)
        try bind(on: stream)
        // A server sends roster pushes, and some of them requests, only to who has fetched the roster.
        try stream.write("<iq type='get' id='roster'><query xmlns='\(Namespace.roster)'/></iq>")
        while try stream.element()["id"] != "roster" {}
        try stream.write("<presence><priority>\(priority)</priority></presence>")
        return stream
    }

    /// Goes as far as a stream on which a resource can be bound, or a session resumed.
    package func authenticate(at server: RealServer, wakeup: Wakeup) throws -> RawStream {
        let stream = try RawStream(host: server.host, port: server.port, wakeup: wakeup)
        try stream.open(to: server.domain)
        _ = try stream.element()
        try stream.startTLS(domain: server.domain, authority: server.authority)
        try stream.open(to: server.domain)
        _ = try stream.element()
        if registers { try register(on: stream) }
        let proof = Base64.encode(Array("\0\(name)\0\(password)".utf8))
        try stream.write("<auth xmlns='\(Namespace.sasl)' mechanism='PLAIN'>\(proof)</auth>")
        let outcome = try stream.element()
        guard outcome.name == "success" else { throw RawStreamFault(description: "\(name): \(outcome.serialized())") }
        try stream.open(to: server.domain)
        _ = try stream.element()
        return stream
    }

    package func bind(on stream: RawStream) throws {
        try request(
            "<bind xmlns='\(Namespace.bind)'><resource>\(resource)</resource></bind>", id: "bind", on: stream)
    }

    private func register(on stream: RawStream) throws {
        let query = Element("query", namespace: Namespace.register)
            .with(Element("username", namespace: Namespace.register).with(text: name))
            .with(Element("password", namespace: Namespace.register).with(text: password))
        try stream.write("<iq type='set' id='register'>\(query.serialized())</iq>")
        let answer = try stream.element()
        let isTaken = answer.child("error", Namespace.client)?.children.contains { $0.name == "conflict" } ?? false
        guard answer["type"] == "result" || isTaken else {
            throw RawStreamFault(description: "\(name) is not registered: \(answer.serialized())")
        }
    }

    private func request(_ payload: String, id: String, on stream: RawStream) throws {
        try stream.write("<iq type='set' id='\(id)'>\(payload)</iq>")
        let answer = try stream.element()
        guard answer["type"] == "result" else { throw RawStreamFault(description: "\(id): \(answer.serialized())") }
    }
}
