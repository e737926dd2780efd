import BellhopTransport
import Testing

@Suite("SRV records")
struct ServiceRecordTests {
    private func record(_ priority: UInt16, _ weight: UInt16, _ host: String) -> ServiceRecord {
        ServiceRecord(priority: priority, weight: weight, target: Endpoint(host: host, port: 5222))
    }

    @Test("no records mean: use the domain itself")
    func none() { #expect(ServiceRecord.order([], draw: { $0 }) == .none) }

    @Test("the single target . means that the service is not offered", arguments: [".", ""])
    func notOffered(target: String) {
        #expect(ServiceRecord.order([record(0, 0, target)], draw: { $0 }) == .notOffered)
    }

    @Test("a lower priority comes first, whatever the weights")
    func priority() {
        let answer = ServiceRecord.order([record(20, 100, "c"), record(5, 0, "a"), record(10, 1, "b")], draw: { $0 })
        #expect(answer == .targets(["a", "b", "c"].map { Endpoint(host: $0, port: 5222) }))
    }

    @Test(
        "inside one priority the draw decides by weight",
        arguments: [(0, "light"), (1, "light"), (2, "heavy"), (10, "heavy")])
    func weight(drawn: Int, first: String) {
        var draws = [UInt32(drawn), 0]
        let answer = ServiceRecord.order([record(0, 9, "heavy"), record(0, 1, "light")]) { _ in draws.removeFirst() }
        guard case .targets(let targets) = answer else {
            Issue.record("no targets")
            return
        }
        #expect(targets.map(\.host).first == first)
        #expect(targets.count == 2)
    }

    @Test("a draw beyond the total takes the last and never traps")
    func overdrawn() {
        let answer = ServiceRecord.order([record(0, 65535, "a"), record(0, 65535, "b")], draw: { _ in .max })
        #expect(answer == .targets([Endpoint(host: "b", port: 5222), Endpoint(host: "a", port: 5222)]))
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
}
