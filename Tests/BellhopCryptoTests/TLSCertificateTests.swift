import BellhopCrypto
import Testing

@Suite("TLS certificates")
struct TLSCertificateTests {
    @Test("a bad certificate fails the handshake with its own reason, before it is done", arguments: Refusal.all)
    func refused(refusal: Refusal) throws {
        for chunk in [Int.max, 1] {
            let pair = try TLSPair(refusal.certificate, name: refusal.name, trust: refusal.trust)
            let last = pair.shakeHands(chunk: chunk)
            guard case .failed(.certificate(refusal.fault, let certificate)) = last.client else {
                Issue.record("the client ended with \(last.client)")
                return
            }
            #expect(certificate?.names == refusal.names)
            #expect(pair.client.facts == nil)
            // The alert told the server too.
            guard case .failed(.handshake) = last.server else {
                Issue.record("the server ended with \(last.server)")
                return
            }
            // And it stays so: nothing can be read or written.
            var plain: [UInt8] = []
            #expect(pair.client.step() == last.client)
            let error = TLSError.certificate(refusal.fault, of: certificate)
            #expect(pair.client.read(into: &plain) == .failed(error))
            #expect(plain.isEmpty)
            #expect(throws: error) { try pair.client.write([1].span) }
        }
    }

    @Test(
        "a good certificate is accepted for each of its names",
        arguments: [
            (TestAuthority.Certificate.good, TLSName.dns("chat.example")), (.good, .dns("CHAT.example")),
            (.good, .dns("rooms.chat.example")), (.wildcard, .dns("rooms.chat.example")),
            (.address, .ip("127.0.0.1")), (.address, .ip("2001:db8::1")), (.address, .ip("[2001:db8:0:0::1]")),
        ])
    func accepted(certificate: TestAuthority.Certificate, name: TLSName) throws {
        let last = try TLSPair(certificate, name: name).shakeHands()
        #expect(last.client == .done)
        #expect(last.server == .done)
    }

    @Test("a self-signed certificate is accepted when the trust file names it")
    func pinned() throws {
        #expect(try TLSPair(.selfSigned, trust: .selfSigned).shakeHands().client == .done)
    }

    @Test(
        "a name that no certificate could hold makes no session",
        arguments: [TLSName.dns(""), .dns("a\0b"), .ip("chat.example"), .ip(""), .ip("[::1"), .ip("1.2.3")])
    func impossibleName(name: TLSName) throws {
        #expect(throws: TLSError.name(name.text)) {
            try TLSSession(client: try TestAuthority.shared.get().client(.authority), name: name)
        }
    }

    @Test("a broken file is refused with its path")
    func files() throws {
        let faults = try TestAuthority.shared.get().fileFaults()
        #expect(faults.count == 7)
        for (what, fault) in faults {
            switch fault {
            case .trustFile(let path, let reason), .identityFile(let path, let reason):
                #expect(!path.isEmpty && !reason.isEmpty, "\(what)")
            default: Issue.record("\(what) gave \(fault)")
            }
        }
    }

    @Test("the system's authorities do not know ours")
    func system() throws {
        let client = try TLSSession(client: try TLSContext.client(trust: .system), name: .dns("chat.example"))
        let server = try TLSSession(server: try TestAuthority.shared.get().server(.good))
        let last = TLSPair(client: client, server: server).shakeHands()
        guard case .failed(.certificate(.unknownAuthority, let certificate?)) = last.client else {
            Issue.record("the client ended with \(last.client)")
            return
        }
        #expect(certificate.issuer == "Test authority")
    }
}

struct Refusal: Sendable, CustomTestStringConvertible {
    let certificate: TestAuthority.Certificate
    var name = TLSName.dns("chat.example")
    var trust: TestAuthority.Trust = .authority
    let fault: CertificateFault
    var names = ["chat.example"]
    var testDescription: String { "\(certificate) for \(name.text)" }

    static let all = [
        Refusal(certificate: .expired, fault: .expired),
        Refusal(certificate: .notYetValid, fault: .notYetValid),
        Refusal(certificate: .selfSigned, fault: .selfSigned),
        Refusal(
            certificate: .good, trust: .anotherAuthority, fault: .unknownAuthority,
            names: ["chat.example", "rooms.chat.example"]),
        // That the name is another, too, is not looked at where nothing is proven.
        Refusal(certificate: .selfSigned, name: .dns("other.example"), fault: .selfSigned),
        wrongName(.good, .dns("other.example"), ["chat.example", "rooms.chat.example"]),
        wrongName(.good, .dns("example"), ["chat.example", "rooms.chat.example"]),
        wrongName(.good, .dns("x.chat.example"), ["chat.example", "rooms.chat.example"]),
        wrongName(.good, .dns("chat.example.evil"), ["chat.example", "rooms.chat.example"]),
        wrongName(.good, .ip("127.0.0.1"), ["chat.example", "rooms.chat.example"]),
        // A wildcard stands for exactly one whole label.
        wrongName(.wildcard, .dns("chat.example"), ["*.chat.example"]),
        wrongName(.wildcard, .dns("a.b.chat.example"), ["*.chat.example"]),
        wrongName(.partialWildcard, .dns("chat.example"), ["c*t.example", "ch*.chat.example"]),
        wrongName(.partialWildcard, .dns("chx.chat.example"), ["c*t.example", "ch*.chat.example"]),
        wrongName(.address, .ip("127.0.0.2"), ["127.0.0.1", "2001:db8::1"]),
        wrongName(.address, .ip("2001:db8::2"), ["127.0.0.1", "2001:db8::1"]),
        wrongName(.address, .dns("chat.example"), ["127.0.0.1", "2001:db8::1"]),
        // The common name never counts, even where there is nothing else (RFC 9525 section 2).
        Refusal(certificate: .commonNameOnly, fault: .nameless(wanted: "chat.example"), names: []),
        Refusal(certificate: .clientOnly, fault: .wrongPurpose),
        Refusal(certificate: .weakKey, fault: .weak("EE certificate key too weak")),
        Refusal(certificate: .weakSignature, fault: .weak("CA signature digest algorithm too weak")),
        Refusal(certificate: .authorityExpired, fault: .authorityExpired),
        Refusal(certificate: .authorityNotYetValid, fault: .authorityNotYetValid),
    ]

    private static func wrongName(
        _ certificate: TestAuthority.Certificate, _ name: TLSName, _ found: [String]
    ) -> Refusal {
        Refusal(certificate: certificate, name: name, fault: .wrongName(wanted: name.text), names: found)
    }
}
