import BellhopCrypto
import Testing

@Suite("TLS with a hostile peer")
struct TLSHostilePeerTests {
    @Test(
        "an answer that is no ServerHello fails the handshake",
        arguments: [
            "HTTP/1.1 400 Bad Request\r\n\r\n", "<?xml version='1.0'?><stream:stream>", "\0\0\0\0\0\0\0\0\0\0",
            "\u{16}\u{3}\u{3}\0\u{4}\u{2}\0\0\0",
        ])
    func garbage(answer: String) throws {
        let pair = try TLSPair()
        #expect(pair.client.step() == .needsBytes)
        pair.client.receive(Array(answer.utf8).span)
        guard case .failed(.handshake(let reason)) = pair.client.step() else {
            Issue.record("the client ended with \(pair.client.step())")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test("a server that chooses an older version is refused", arguments: [UInt8(0), 1, 2])
    func oldServer(minor: UInt8) throws {
        let pair = try TLSPair()
        #expect(pair.client.step() == .needsBytes)
        pair.client.receive(serverHello(minor: minor).span)
        #expect(pair.client.step() == .failed(.handshake("unsupported protocol")))
        #expect(!pair.output(of: pair.client).isEmpty)
    }

    @Test("a client that knows only TLS 1.1 is refused")
    func oldClient() throws {
        let pair = try TLSPair()
        pair.server.receive(clientHello(minor: 2).span)
        #expect(pair.server.step() == .failed(.handshake("unsupported protocol")))
    }

    @Test("a server that takes up a cipher which was not offered is refused")
    func wrongCipher() throws {
        let pair = try TLSPair()
        #expect(pair.client.step() == .needsBytes)
        pair.client.receive(serverHello(minor: 3).span)
        #expect(pair.client.step() == .failed(.handshake("wrong cipher returned")))
    }

    @Test("bytes that follow the client's first flight unasked break nothing", arguments: 0..<64)
    func noise(seed: Int) throws {
        let pair = try TLSPair()
        _ = pair.client.step()
        pair.server.receive(pair.output(of: pair.client).span)
        _ = pair.server.step()
        var flight = pair.output(of: pair.server)
        flight[seed * 13 % flight.count] ^= UInt8(truncatingIfNeeded: seed * 37 | 1)
        pair.client.receive(flight.span)
        // The first flight is authenticated as a whole: whatever was changed, the handshake is not done.
        #expect(pair.client.step() != .done)
    }

    /// A TLS record of the handshake protocol with one message in it.
    private func record(minor: UInt8, type: UInt8, _ body: [UInt8]) -> [UInt8] {
        let message = [type, 0, 0, UInt8(body.count)] + body
        return [22, 3, minor, 0, UInt8(message.count)] + message
    }

    /// Chooses TLS 1.(minor - 1), TLS_RSA_WITH_AES_128_CBC_SHA and no compression.
    private func serverHello(minor: UInt8) -> [UInt8] {
        record(minor: minor, type: 2, [3, minor] + [UInt8](repeating: 7, count: 32) + [0, 0x00, 0x2f, 0])
    }

    /// Offers TLS 1.(minor - 1) at most, TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA and no compression.
    private func clientHello(minor: UInt8) -> [UInt8] {
        record(minor: 1, type: 1, [3, minor] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0xc0, 0x09, 1, 0])
    }
}
