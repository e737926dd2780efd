import BellhopCrypto
import BellhopEngine
import Testing

@Suite("That the offer came as it was sent (XEP-0474)")
struct OfferHashTests {
    /// The example of the specification, whose hash is the constant below.
    static let offer = SASLOffer(
        mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], bindings: ["tls-exporter", "tls-server-end-point"])
    static let hash = "G6k/rBLDqgOhRRaCuuatSDFkJ08="

    private func step(_ offer: SASLOffer?, _ extensions: String) throws -> SCRAMExchange.Step {
        var exchange = try SCRAMVector.sha1.exchange(offer: offer)
        return exchange.receivedChallenge(Array((SCRAMVector.sha1.serverFirst + extensions).utf8))
    }

    @Test("the hash of the published example is taken, in whatever order the offer came")
    func same() throws {
        for offer in [
            Self.offer,
            SASLOffer(mechanisms: Self.offer.mechanisms.reversed(), bindings: Self.offer.bindings?.reversed()),
        ] {
            guard case .respond = try step(offer, ",h=\(Self.hash)") else {
                Issue.record("the right hash was refused")
                continue
            }
        }
    }

    @Test(
        "an offer from which something was cut, or to which something was added, ends the login before the proof",
        arguments: [
            SASLOffer(mechanisms: ["SCRAM-SHA-1"], bindings: ["tls-exporter", "tls-server-end-point"]),
            SASLOffer(mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], bindings: ["tls-server-end-point"]),
            SASLOffer(mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], bindings: []),
            SASLOffer(mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"]),
            SASLOffer(mechanisms: ["SCRAM-SHA-1"]),
            SASLOffer(
                mechanisms: ["PLAIN", "SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"],
                bindings: ["tls-exporter", "tls-server-end-point"]),
        ])
    func changed(offer: SASLOffer) throws {
        #expect(try step(offer, ",h=\(Self.hash)") == .fail(.offerChanged))
    }

    @Test("a server that says nothing of its offer is believed, and one that says it twice or in no base64 is not")
    func grammar() throws {
        guard case .respond = try step(Self.offer, "") else {
            Issue.record("a server without the extension was refused")
            return
        }
        #expect(try step(Self.offer, ",h=\(Self.hash),h=\(Self.hash)") == .fail(.malformed))
        #expect(try step(Self.offer, ",h=!") == .fail(.malformed))
        #expect(try step(Self.offer, ",h=") == .fail(.offerChanged))
    }
}
