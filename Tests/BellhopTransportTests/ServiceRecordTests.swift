import BellhopTransport
import Testing

@Suite("SRV records")
struct ServiceRecordTests {
    private func record(
        _ priority: UInt16, _ weight: UInt16, _ host: String, _ security: ServerTarget.Security = .startTLS
    ) -> ServiceRecord {
        ServiceRecord(
            priority: priority, weight: weight, target: ServerTarget(Endpoint(host: host, port: 5222), security))
    }

    @Test("a lower priority comes first, whatever the weights and the service")
    func priority() {
        let records = [record(20, 100, "c"), record(5, 0, "a", .directTLS), record(10, 1, "b")]
        #expect(ServiceRecord.order(records, draw: { $0 }).map(\.endpoint.host) == ["a", "b", "c"])
    }

    @Test(
        "inside one priority the draw decides by weight, the records of both services together",
        arguments: [(0, "light"), (1, "light"), (2, "heavy"), (10, "heavy")])
    func weight(drawn: Int, first: String) {
        var draws = [UInt32(drawn), 0]
        let targets = ServiceRecord.order([record(0, 9, "heavy", .directTLS), record(0, 1, "light")]) { _ in
            draws.removeFirst()
        }
        #expect(targets.map(\.endpoint.host).first == first)
        #expect(targets.count == 2)
    }

    @Test("a draw beyond the total takes the last and never traps")
    func overdrawn() {
        let targets = ServiceRecord.order([record(0, 65535, "a"), record(0, 65535, "b")], draw: { _ in .max })
        #expect(targets.map(\.endpoint.host) == ["b", "a"])
    }

    private static let refused = NameFault.refused(code: 2)
    private static let plans: [(ServiceLookup.Finding, ServiceLookup.Finding, String)] = {
        func some(_ host: String, _ security: ServerTarget.Security) -> ServiceLookup.Finding {
            .records([
                ServiceRecord(
                    priority: 0, weight: 0, target: ServerTarget(Endpoint(host: host, port: 1), security))
            ])
        }
        let direct = some("d", .directTLS)
        let start = some("s", .startTLS)
        return [
            (direct, start, "d:1 (direct TLS), s:1"), (direct, .none, "d:1 (direct TLS)"),
            (direct, .notOffered, "d:1 (direct TLS)"), (direct, .failed(refused), "d:1 (direct TLS)"),
            (.none, start, "s:1"), (.notOffered, start, "s:1"), (.failed(refused), start, "s:1"),
            (.none, .none, "the domain"), (.notOffered, .none, "the domain"), (.failed(refused), .none, "the domain"),
            (.none, .failed(.unanswered), "the domain"), (.notOffered, .failed(refused), "the domain"),
            (.failed(refused), .failed(refused), "the domain"), (.none, .notOffered, "not offered"),
            (.notOffered, .notOffered, "not offered"), (.failed(refused), .notOffered, "unknown"),
        ]
    }()

    @Test("what name servers say of both services decides where to go", arguments: plans)
    func plan(direct: ServiceLookup.Finding, start: ServiceLookup.Finding, expected: String) {
        let lookup = ServiceLookup(domain: "example.test", directTLS: direct, startTLS: start)
        let plan =
            switch lookup.plan(draw: { _ in 0 }) {
            case .targets(let targets): targets.map(\.description).joined(separator: ", ")
            case .domainItself: "the domain"
            case .notOffered: "not offered"
            case .unknown: "unknown"
            }
        #expect(plan == expected)
    }
}

@Suite("Endpoint")
struct EndpointTests {
    @Test(
        "loopback is this machine and nothing that looks like it",
        arguments: [
            ("localhost", true), ("127.0.0.1", true), ("127.8.8.8", true), ("::1", true), ("127.0.0.1.example", false),
            ("127.0.0", false), ("example.org", false), ("10.0.0.1", false), ("127.0.0.256", false),
        ])
    func loopback(host: String, expected: Bool) {
        #expect(Endpoint(host: host, port: 1).isLoopback == expected)
    }

    @Test("an IPv6 address is shown in brackets")
    func brackets() { #expect("\(Endpoint(host: "::1", port: 5222))" == "[::1]:5222") }

    @Test(
        "an address is told from a name",
        arguments: [
            ("192.0.2.1", true), ("::1", true), ("2001:db8::53", true), ("example.org", false), ("", false),
            ("[::1]", false), ("dead:beef:::", false), ("1.2.3.4.5", false), ("\0", false),
        ])
    func numeric(text: String, expected: Bool) { #expect(Endpoint.isNumeric(text) == expected) }
}
