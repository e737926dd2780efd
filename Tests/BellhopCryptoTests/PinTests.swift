import BellhopCrypto
import CertificateWorkshop
import Testing

@Suite("Pinned keys")
struct PinTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var what: String
        var order: CertificateOrder
        var name = TLSName.dns("chat.example")
        var overlooked: [CertificateFault] = []
        var testDescription: String { what }

        static let all = [
            Row(what: "a good certificate", order: .good),
            Row(what: "self-signed", order: .selfSigned),
            Row(what: "unknown authority", order: .unknownAuthority),
            Row(what: "an intermediate that is missing nothing", order: CertificateOrder(signer: .intermediate)),
            Row(what: "expired", order: .expired, overlooked: [.expired]),
            Row(what: "not yet valid", order: .notYetValid, overlooked: [.notYetValid]),
            Row(
                what: "another name", order: CertificateOrder("other.example", signer: .itself),
                overlooked: [.wrongName(wanted: "chat.example")]),
            Row(what: "no name", order: .nameless, overlooked: [.nameless(wanted: "chat.example")]),
            Row(
                what: "expired, by itself, for another",
                order: CertificateOrder("other.example", signer: .itself).with { $0.end = "20200201000000Z" },
                overlooked: [.expired, .wrongName(wanted: "chat.example")]),
            Row(
                what: "an address", order: .selfSigned.with { $0.names = "IP:127.0.0.1, IP:2001:db8::1" },
                name: .ip("[2001:db8::1]")),
            Row(
                what: "another address", order: .selfSigned.with { $0.names = "IP:127.0.0.1" }, name: .ip("127.0.0.2"),
                overlooked: [.wrongName(wanted: "127.0.0.2")]),
            Row(what: "RSA", order: .selfSigned.with { $0.key = .rsa }),
            Row(what: "Ed25519", order: .selfSigned.with { $0.key = .ed25519 }),
        ]
    }

    private func pair(
        _ order: CertificateOrder, _ trust: TLSTrust, name: TLSName = .dns("chat.example"),
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13
    ) throws -> TLSPair {
        let server = try CertificateWorkshop.shared.get().make(order)
        return TLSPair(
            client: try TLSSession(client: try .client(trust: trust, versions: versions), name: name),
            server: try TLSSession(server: try .server(server, securityLevel: 0)))
    }

    private func pin(_ order: CertificateOrder) throws -> CertificatePin {
        try #require(CertificatePin(try CertificateWorkshop.shared.get().pin(of: order)))
    }

    @Test(
        "a pinned key proves the server, whatever else its certificate says; what is overlooked is told",
        arguments: Row.all)
    func accepted(row: Row) throws {
        for version in [TLSVersion.tls12, .tls13] {
            let pair = try pair(row.order, .pins([try pin(row.order)]), name: row.name, versions: version...version)
            let last = pair.shakeHands()
            #expect(last.client == .done)
            #expect(last.server == .done)
            let facts = try #require(pair.client.facts)
            #expect(facts.overlooked == row.overlooked)
            #expect(facts.certificate?.pin == (try pin(row.order)))
        }
    }

    @Test(
        "a key that is not pinned is refused, however good its certificate is", arguments: [TLSVersion.tls12, .tls13])
    func refused(version: TLSVersion) throws {
        let other = try pin(.selfSigned.with { $0.key = .another })
        for order in [CertificateOrder.good, .selfSigned, .expired] {
            let pair = try pair(order, .pins([other]), versions: version...version)
            let last = pair.shakeHands()
            guard case .failed(.certificate(.wrongKey(pinned: [other]), let certificate?)) = last.client else {
                Issue.record("the client ended with \(last.client)")
                return
            }
            #expect(certificate.pin == (try pin(order)))
            guard case .failed(.handshake) = last.server else {
                Issue.record("the server ended with \(last.server)")
                return
            }
        }
    }

    @Test("of several pins any one is enough")
    func several() throws {
        let pins = [try pin(.selfSigned.with { $0.key = .another }), try pin(.selfSigned.with { $0.key = .rsa })]
        #expect(try pair(.selfSigned.with { $0.key = .rsa }, .pins(pins)).shakeHands().client == .done)
        guard case .failed(.certificate(.wrongKey(pinned: pins), _)) = try pair(.good, .pins(pins)).shakeHands().client
        else {
            Issue.record("a key that is none of them was taken")
            return
        }
    }

    @Test("the key of an authority is not the server's")
    func authority() throws {
        let workshop = try CertificateWorkshop.shared.get()
        let key = try workshop.openssl("x509", "-noout", "-pubkey", "-in", workshop.authority)
        try workshop.write("authority.pub", key)
        try workshop.openssl("pkey", "-pubin", "-in", "authority.pub", "-outform", "DER", "-out", "authority.der")
        try workshop.openssl("dgst", "-sha256", "-binary", "-out", "authority.hash", "authority.der")
        let text = try workshop.openssl("base64", "-in", "authority.hash").prefix { $0 != "\n" }
        let pin = try #require(CertificatePin("sha256:" + text))
        for trust in [TLSTrust.pins([pin]), .fileAndPins(workshop.authority, [pin])] {
            guard case .failed(.certificate(.wrongKey, _)) = try pair(.good, trust).shakeHands().client else {
                Issue.record("the authority's key was taken for the server's")
                return
            }
        }
    }

    struct Both: Sendable {
        var order: CertificateOrder
        var isPinned = true
        var name = TLSName.dns("chat.example")
        /// Nil where it is accepted.
        var fault: CertificateFault?
    }

    @Test(
        "with authorities and pins both must hold",
        arguments: [
            Both(order: .good), Both(order: CertificateOrder(signer: .intermediate)),
            Both(order: .good.with { $0.names = "IP:127.0.0.1" }, name: .ip("127.0.0.1")),
            Both(order: .selfSigned, fault: .selfSigned), Both(order: .unknownAuthority, fault: .unknownAuthority),
            Both(order: .expired, fault: .expired),
            Both(order: .good, name: .dns("other.example"), fault: .wrongName(wanted: "other.example")),
            Both(order: .good, name: .ip("127.0.0.1"), fault: .wrongName(wanted: "127.0.0.1")),
            Both(order: .good, isPinned: false, fault: .wrongKey(pinned: [])),
        ])
    func both(row: Both) throws {
        let workshop = try CertificateWorkshop.shared.get()
        let pin = try pin(row.isPinned ? row.order : .selfSigned.with { $0.key = .another })
        let pair = try pair(row.order, .fileAndPins(workshop.authority, [pin]), name: row.name)
        switch (row.fault, pair.shakeHands().client) {
        case (nil, .done): #expect(pair.client.facts?.overlooked == [])
        case (.wrongKey, .failed(.certificate(.wrongKey(let pinned), _))): #expect(pinned == [pin])
        case (let fault?, .failed(.certificate(let found, _))): #expect(found == fault)
        case (_, let step): Issue.record("the client ended with \(step)")
        }
    }

    @Test("a key that is too weak is refused even when it is pinned")
    func weak() throws {
        let order = CertificateOrder.selfSigned.with { $0.key = .rsa1024 }
        guard case .failed(.certificate(.weak, _)) = try pair(order, .pins([try pin(order)])).shakeHands().client else {
            Issue.record("the weak key was taken")
            return
        }
    }

    @Test("an address never stands in SNI, and an impossible name makes no session")
    func names() throws {
        let pin = try pin(.good)
        let context = try TLSContext.client(trust: .pins([pin]))
        let session = try TLSSession(client: context, name: .ip("192.0.2.77"))
        #expect(session.step() == .needsBytes)
        var hello: [UInt8] = []
        session.takeOutput(into: &hello)
        #expect(!String(decoding: hello, as: UTF8.self).contains("192.0.2.77"))
        for name in [TLSName.dns(""), .dns("a\0b"), .ip("chat.example"), .dns(String(repeating: "a", count: 300))] {
            #expect(throws: TLSError.name(name.text)) { try TLSSession(client: context, name: name) }
        }
    }

    @Test(
        "what is no pin is none",
        arguments: [
            "", "sha256:", "sha256:AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "sha256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "sha256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= ",
            "sha256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        ])
    func malformed(text: String) {
        #expect(CertificatePin(text) == nil)
    }

    @Test("a pin is written as it is read")
    func written() throws {
        let text = "sha256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        #expect(try #require(CertificatePin(text)).description == text)
    }

    @Test("a hostile certificate's text is bounded and harmless")
    func hostile() throws {
        let names = (0..<150).map { "DNS:n\($0).example" }.joined(separator: ", ")
        let order = CertificateOrder.selfSigned.with {
            $0.commonName = "a\u{1B}[2Jb\u{202E}c\u{2028}d"
            $0.names = names
        }
        let pair = try pair(order, .pins([try pin(order)]))
        #expect(pair.shakeHands().client == .done)
        let certificate = try #require(pair.client.facts?.certificate)
        #expect(certificate.names.count == 100)
        #expect(certificate.furtherNames == 50)
        #expect(certificate.commonName == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d")
        #expect(certificate.issuer == certificate.commonName)
    }
}
