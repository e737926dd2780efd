import BellhopTestServer
import Testing

@testable import BellhopTransport

/// Asks a name server of the test's own; the waits are so long only where an answer is sure to come.
@Suite("Asking a name server", .timeLimit(.minutes(1)))
struct ResolverTests {
    private static let domain = "example.test"
    private static let name = "_xmpp-client._tcp.example.test"
    private var soon: Duration { MonotonicClock.now() + .seconds(20) }

    private func resolver(_ server: TestNameServer, waits: [Duration] = [.seconds(15)]) -> Resolver {
        var resolver = Resolver(nameServer: Endpoint(host: "127.0.0.1", port: server.port))
        resolver.waits = waits
        return resolver
    }

    /// On a thread of its own, since it blocks.
    private func off<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
        let answers = Mailbox<Value> { _ in "an answer" }
        try LoopThread.start("test") { answers.post(body()) }
        return try await answers.take("an answer", patience: .seconds(30)) { $0 }
    }

    private func services(_ zone: Zone, waits: [Duration] = [.seconds(15)]) async throws -> (ServiceLookup, [String]) {
        try await TestNameServer.running(zone) { server in
            let resolver = resolver(server, waits: waits)
            let end = soon
            let lookup = try await off { resolver.services(of: Self.domain, until: end) }
            // Whoever has the answer to a last question knows that the server has taken note of those before it.
            let patient = self.resolver(server)
            _ = try await off { try? patient.addresses(of: "last.test", until: end) }
            return (lookup, server.questions.filter { !$0.hasSuffix(" last.test") })
        }
    }

    @Test("both services are asked for, and their records come with priority, weight, port and target")
    func both() async throws {
        var zone = Zone()
        zone.service("xmpps-client", of: Self.domain, priority: 5, weight: 30, port: 443, target: "a.example.test")
        zone.service("xmpp-client", of: Self.domain, priority: 10, weight: 1, target: "b.example.test")
        zone.service("xmpp-client", of: Self.domain, priority: 20, weight: 65535, port: 65535, target: "C.example.test")
        let (lookup, questions) = try await services(zone)
        #expect(Set(questions) == ["SRV _xmpps-client._tcp.example.test", "SRV _xmpp-client._tcp.example.test"])
        let direct = ServerTarget(Endpoint(host: "a.example.test", port: 443), .directTLS)
        #expect(lookup.directTLS == .records([ServiceRecord(priority: 5, weight: 30, target: direct)]))
        #expect(lookup.startTLS.records.map(\.target.description) == ["b.example.test:5222", "c.example.test:65535"])
        #expect(lookup.startTLS.records.map(\.weight) == [1, 65535])
    }

    @Test("no such name, no such record, and the target . are told apart")
    func nothing() async throws {
        var zone = Zone()
        zone.service("xmpps-client", of: Self.domain, target: ".")
        #expect(try await services(zone).0.directTLS == .notOffered)
        #expect(try await services(zone).0.startTLS == .none)
        zone.add(Self.name, .address([192, 0, 2, 1]))
        #expect(try await services(zone).0.startTLS == .none)
    }

    @Test("a target . beside others says nothing, and targets that no host can have are left out")
    func oddTargets() async throws {
        var zone = Zone()
        for target in [".", "a b.example.test", "\u{1B}[2J.example.test", "m\u{FC}ller.test", "ok.example.test"] {
            zone.service("xmpp-client", of: Self.domain, target: target)
        }
        zone.service("xmpp-client", of: Self.domain, port: 0, target: "zero.example.test")
        #expect(try await services(zone).0.startTLS.records.map(\.target.endpoint.host) == ["ok.example.test"])
    }

    @Test("an alias is followed, also one of an alias, and a circle of them ends")
    func aliases() async throws {
        var zone = Zone()
        zone.add(Self.name, .alias("one.test"))
        zone.add("one.test", .alias("two.test"))
        zone.add("two.test", .service(priority: 1, weight: 2, port: 3, target: "h.test"))
        #expect(try await services(zone).0.startTLS.records.map(\.target.description) == ["h.test:3"])
        var circle = Zone()
        circle.add(Self.name, .alias("one.test"))
        circle.add("one.test", .alias(Self.name))
        #expect(try await services(circle).0.startTLS == .none)
    }

    @Test("an answer that does not fit is asked for by TCP")
    func truncated() async throws {
        var zone = Zone()
        for number in 0..<60 {
            zone.service("xmpp-client", of: Self.domain, target: "a-rather-long-name-of-host-\(number).example.test")
        }
        zone.answer(Self.name, .truncated)
        let (lookup, questions) = try await services(zone)
        #expect(lookup.startTLS.records.count == 60)
        #expect(questions.contains("SRV \(Self.name) by TCP"))
    }

    @Test("strangers that answer another number or another question are not heard")
    func strangers() async throws {
        var zone = Zone()
        zone.service("xmpp-client", of: Self.domain, target: "true.example.test")
        zone.answer(Self.name, .afterStrangers)
        #expect(try await services(zone).0.startTLS.records.map(\.target.endpoint.host) == ["true.example.test"])
    }

    private static let failures: [(Zone.Manner, NameFault)] = [
        (.silent, .unanswered), (.refusing(2), .refused(code: 2)), (.refusing(5), .refused(code: 5)),
        (.truncatedForGood, .unreachable(reason: "the connection was closed")),
        // Too short for a header, a question only, other questions: nobody's answer.
        (.bytes([]), .unanswered), (.bytes([0x81]), .unanswered),
        (.bytes([0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 33, 0, 1]), .unanswered),
        (.bytes([0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, 0]), .unanswered),
        (.bytes([0x81, 0x85, 0, 0, 0, 0, 0, 0, 0, 0]), .refused(code: 5)),
        // A question whose name is a circle, or leaves the message.
        (.bytes([0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0, 0xC0, 0x0C]), .malformed),
        (.bytes([0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]), .malformed),
        (.bytes([0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0, 63, 1]), .malformed),
        // Records that are promised and do not come, point to themselves or forwards, or are longer than the message.
        (.records(.max, []), .malformed), (.records(1, [0xC0]), .malformed),
        (.records(1, [0xC0, 0x38, 0xC0, 0x38]), .malformed), (.records(1, [0xC0, 0xFF]), .malformed),
        (.records(1, [0x80, 0x00]), .malformed),
        (.records(1, [0xC0, 0x0C, 0, 33, 0, 1, 0, 0, 0, 1, 0xFF, 0xFF, 0, 1, 0, 1, 0, 1, 0]), .malformed),
        (.records(1, [0xC0, 0x0C, 0, 33, 0, 1, 0, 0, 0, 1, 0, 2, 0, 1]), .malformed),
        (.records(1, [0xC0, 0x0C, 0, 33, 0, 1, 0, 0, 0, 1, 0, 3, 0, 1, 0, 1, 0, 1, 0xC0, 0x0C]), .malformed),
        (.records(1, [0xC0, 0x0C, 0, 5, 0, 1, 0, 0, 0, 1, 0, 1, 0xC0, 0x0C]), .malformed),
    ]

    @Test("what is no answer is a fault and never a trap", arguments: failures)
    func fault(manner: Zone.Manner, fault: NameFault) async throws {
        var zone = Zone()
        zone.answer(Self.name, manner)
        // Where nothing ever comes, one short wait is enough to see that it is given up.
        let waits: [Duration] = fault == .unanswered ? [.milliseconds(20), .milliseconds(20)] : [.seconds(15)]
        let (lookup, questions) = try await services(zone, waits: waits)
        #expect(lookup.startTLS == .failed(fault))
        if case .silent = manner { #expect(questions.count { $0 == "SRV \(Self.name)" } == 2) }
    }

    @Test("a name server that is not there is a fault that says so")
    func nobody() async throws {
        let port = try UDPSocket(onPort: try Listener().port).port
        let resolver = Resolver(nameServer: Endpoint(host: "127.0.0.1", port: port))
        let end = soon
        let lookup = try await off { resolver.services(of: Self.domain, until: end) }
        #expect(lookup.startTLS == .failed(.unreachable(reason: "recv: Connection refused")))
        let none = Resolver(nameServer: Endpoint(host: "ns.example.test", port: 53))
        let other = try await off { none.services(of: Self.domain, until: end) }
        #expect(other.startTLS == .failed(.unreachable(reason: "ns.example.test is no address")))
    }

    @Test(
        "a domain that no name server can be asked for is a fault",
        arguments: [
            "a..b", "m\u{FC}ller.test", String(repeating: "x", count: 64) + ".test",
            String(repeating: "abcdefgh.", count: 30) + "test",
        ])
    func unaskable(domain: String) async throws {
        try await TestNameServer.running(Zone()) { server in
            let resolver = resolver(server)
            let end = soon
            let lookup = try await off { resolver.services(of: domain, until: end) }
            #expect(lookup.startTLS == .failed(.unaskable))
            #expect(server.questions == [])
        }
    }

    @Test("the addresses of a host come from the same name server, the families in turn")
    func addresses() async throws {
        var zone = Zone()
        let long = { (last: UInt8) in
            Zone.Record.address([0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [last])
        }
        for last in 1...3 as ClosedRange<UInt8> { zone.add("h.example.test", long(last)) }
        zone.add("h.example.test", .address([192, 0, 2, 1]))
        zone.add("h.example.test", .address([192, 0, 2, 2]))
        try await TestNameServer.running(zone) { server in
            let resolver = resolver(server)
            let end = soon
            let found = try await off { try? resolver.addresses(of: "h.example.test.", until: end) }
            #expect(
                found?.map(\.description) == ["2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2", "2001:db8::3"])
            let none = try await off {
                Result { () throws(TransportError) in try resolver.addresses(of: "none.example.test", until: end) }
            }
            #expect(
                none
                    == .failure(
                        .noAddress(
                            host: "none.example.test", reason: "there is no such name, or it has no address")))
        }
    }

    @Test("an address needs no name server")
    func literal() async throws {
        try await TestNameServer.running(Zone()) { server in
            let resolver = resolver(server)
            for text in ["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"] {
                let addresses = try resolver.addresses(of: text, until: soon)
                #expect(addresses.map(\.description) == [text])
            }
            #expect(server.questions == [])
        }
    }
}
