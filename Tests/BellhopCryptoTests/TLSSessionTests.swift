import BellhopCrypto
import Testing

@Suite("TLS session")
struct TLSSessionTests {
    @Test("a handshake is done whole, in pieces and byte by byte", arguments: [Int.max, 100, 7, 1])
    func handshake(chunk: Int) throws {
        let pair = try TLSPair()
        #expect(pair.client.facts == nil)
        let last = pair.shakeHands(chunk: chunk)
        #expect(last.client == .done)
        #expect(last.server == .done)
        let there = try pair.carry(Array("ping".utf8), from: pair.client, to: pair.server, chunk: chunk)
        #expect(there.plain == Array("ping".utf8))
        #expect(there.end == .needsBytes)
        let back = try pair.carry(Array("pong".utf8), from: pair.server, to: pair.client, chunk: chunk)
        #expect(back.plain == Array("pong".utf8))
    }

    @Test("the facts tell version, cipher and the server's certificate")
    func facts() throws {
        let pair = try TLSPair()
        _ = pair.shakeHands()
        let facts = try #require(pair.client.facts)
        #expect(facts.version == "TLS 1.3")
        #expect(facts.cipher.hasPrefix("TLS_"))
        let certificate = try #require(facts.certificate)
        #expect(certificate.names == ["chat.example", "rooms.chat.example"])
        #expect(certificate.furtherNames == 0)
        #expect(certificate.commonName == "chat.example")
        #expect(certificate.issuer == "Test authority")
        // 2020-01-01T00:00:00Z and 2099-01-01T00:00:00Z
        #expect(certificate.notBefore == 1_577_836_800)
        #expect(certificate.notAfter == 4_070_908_800)
        #expect(facts.overlooked == [])
        #expect(pair.server.facts?.certificate == nil)
    }

    @Test("a mebibyte goes through both ways, whole and in odd pieces", arguments: [Int.max, 65_536, 1_009])
    func large(chunk: Int) throws {
        let pair = try TLSPair()
        _ = pair.shakeHands()
        let plain = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        #expect(try pair.carry(plain, from: pair.client, to: pair.server, chunk: chunk).plain == plain)
        #expect(try pair.carry(plain, from: pair.server, to: pair.client, chunk: chunk).plain == plain)
    }

    @Test("reading appends behind what was there, and several writes arrive in order")
    func appends() throws {
        let pair = try TLSPair()
        _ = pair.shakeHands()
        try pair.client.write(Array("a".utf8).span)
        let nothing: [UInt8] = []
        try pair.client.write(nothing.span)
        try pair.client.write(Array("b".utf8).span)
        let encrypted = pair.output(of: pair.client)
        #expect(pair.output(of: pair.client).isEmpty)
        pair.server.receive(encrypted.span)
        var plain = Array("before ".utf8)
        #expect(pair.server.read(into: &plain) == .needsBytes)
        #expect(plain == Array("before ab".utf8))
        var output = Array("before ".utf8)
        try pair.server.write(Array("c".utf8).span)
        pair.server.takeOutput(into: &output)
        #expect(output.starts(with: Array("before ".utf8)) && output.count > 8)
    }

    @Test("a proper close reads as closed, after the last bytes, and for good")
    func closing() throws {
        let pair = try TLSPair()
        _ = pair.shakeHands()
        try pair.server.write(Array("bye".utf8).span)
        pair.server.close()
        let last = pair.deliver(pair.output(of: pair.server), to: pair.client)
        #expect(last.plain == Array("bye".utf8))
        #expect(last.end == .closed)
        var more: [UInt8] = []
        #expect(pair.client.read(into: &more) == .closed)
        // The other direction is still open, then closes too.
        #expect(try pair.carry([42], from: pair.client, to: pair.server).plain == [42])
        pair.client.close()
        #expect(pair.deliver(pair.output(of: pair.client), to: pair.server).end == .closed)
    }

    @Test("nothing is written after closing, and closing twice says it once")
    func closedForWriting() throws {
        let pair = try TLSPair()
        _ = pair.shakeHands()
        pair.client.close()
        _ = pair.output(of: pair.client)
        pair.client.close()
        #expect(pair.output(of: pair.client).isEmpty)
        #expect(throws: TLSError.self) { try pair.client.write([1].span) }
    }

    @Test("a stream that is cut in the middle of a record gives no part of it and just waits")
    func cut() throws {
        let pair = try TLSPair()
        _ = pair.shakeHands()
        try pair.server.write(Array("first".utf8).span)
        let first = pair.output(of: pair.server)
        try pair.server.write(Array("second".utf8).span)
        let second = pair.output(of: pair.server)
        let got = pair.deliver(first + second.dropLast(3), to: pair.client)
        #expect(got.plain == Array("first".utf8))
        #expect(got.end == .needsBytes)
    }

    @Test("a record that was changed on the way ends the session", arguments: [0, 1, 3, 5, 20])
    func tampered(index: Int) throws {
        let pair = try TLSPair()
        _ = pair.shakeHands()
        try pair.server.write(Array("transfer 10 to alice".utf8).span)
        var encrypted = pair.output(of: pair.server)
        encrypted[index] ^= 0x10
        // A changed length announces more bytes than came.
        encrypted += [UInt8](repeating: 0, count: 20_000)
        let got = pair.deliver(encrypted, to: pair.client)
        #expect(got.plain.isEmpty)
        guard case .failed(.protocol) = got.end else {
            Issue.record("reading ended with \(got.end)")
            return
        }
        #expect(throws: TLSError.self) { try pair.client.write([1].span) }
        #expect(pair.client.facts == nil)
    }

    @Test("nothing can be written or closed before the handshake is done")
    func tooEarly() throws {
        let pair = try TLSPair()
        #expect(throws: TLSError.self) { try pair.client.write([1].span) }
        pair.client.close()
        #expect(pair.output(of: pair.client).isEmpty)
        #expect(pair.shakeHands().client == .done)
    }

    @Test("reading goes on with an unfinished handshake")
    func readingSteps() throws {
        let pair = try TLSPair()
        var plain: [UInt8] = []
        #expect(pair.client.read(into: &plain) == .needsBytes)
        #expect(pair.shakeHands().client == .done)
        #expect(plain.isEmpty)
    }
}
