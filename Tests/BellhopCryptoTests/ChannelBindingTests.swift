import BellhopCrypto
import CertificateWorkshop
import Testing

@Suite("Channel binding")
struct ChannelBindingTests {
    private static let both = TLSVersion.tls12 ... .tls13

    private func pair(
        _ order: CertificateOrder = .good, _ versions: ClosedRange<TLSVersion> = both,
        extendedMasterSecret: Bool = true
    ) throws -> TLSPair {
        let workshop = try CertificateWorkshop.shared.get()
        let identity = try workshop.make(order)
        let trusted = order.signer == .itself ? identity.certificateFile : workshop.authority
        return TLSPair(
            client: try TLSSession(
                client: try .client(trust: .file(trusted), versions: versions), name: .dns("chat.example")),
            server: try TLSSession(
                server: try .server(identity, extendedMasterSecret: extendedMasterSecret)))
    }

    @Test("both ends agree on each type, in both versions of TLS", arguments: [TLSVersion.tls12, .tls13])
    func agreement(version: TLSVersion) throws {
        let pair = try pair(.good, version...version)
        for type in ChannelBindingType.allCases {
            #expect(pair.client.channelBinding(type) == nil, "before the handshake")
        }
        #expect(pair.shakeHands().client == .done)
        #expect(pair.client.facts?.version == (version == .tls12 ? "TLS 1.2" : "TLS 1.3"))
        for type in ChannelBindingType.allCases {
            let binding = try #require(pair.client.channelBinding(type))
            #expect(binding.count == 32)
            #expect(pair.server.channelBinding(type) == binding)
            #expect(pair.client.channelBinding(type) == binding, "asked again")
        }
    }

    @Test("the exporter differs between sessions, the end point does not", arguments: [TLSVersion.tls12, .tls13])
    func sessions(version: TLSVersion) throws {
        let first = try pair(.good, version...version)
        let second = try pair(.good, version...version)
        _ = (first.shakeHands(), second.shakeHands())
        #expect(first.client.channelBinding(.exporter) != second.client.channelBinding(.exporter))
        #expect(first.client.channelBinding(.serverEndPoint) == second.client.channelBinding(.serverEndPoint))
    }

    @Test("TLS 1.2 without the extended master secret has no exporter, TLS 1.3 does not need it")
    func extendedMasterSecret() throws {
        let old = try pair(.good, .tls12 ... .tls12, extendedMasterSecret: false)
        #expect(old.shakeHands().client == .done)
        #expect(old.client.channelBinding(.exporter) == nil)
        #expect(old.server.channelBinding(.exporter) == nil)
        #expect(old.client.channelBinding(.serverEndPoint) != nil)
        let new = try pair(.good, extendedMasterSecret: false)
        #expect(new.shakeHands().client == .done)
        #expect(new.client.channelBinding(.exporter) != nil)
    }

    @Test(
        "the end point is the certificate's hash by its signature, SHA-256 instead of weak ones",
        arguments: [
            (CertificateOrder.Key.p256, "sha256", "sha256"), (.p256, "sha384", "sha384"), (.p256, "sha512", "sha512"),
            (.rsa, "sha1", "sha256"), (.rsa, "md5", "sha256"), (.rsa, "sha256", "sha256"),
        ])
    func endPoint(key: CertificateOrder.Key, signature: String, hash: String) throws {
        let order = CertificateOrder.selfSigned.with {
            $0.key = key
            $0.hash = signature
        }
        let pair = try pair(order)
        #expect(pair.shakeHands().client == .done)
        let binding = try #require(pair.client.channelBinding(.serverEndPoint))
        #expect(pair.server.channelBinding(.serverEndPoint) == binding)
        let workshop = try CertificateWorkshop.shared.get()
        let file = "end-point-\(key)-\(signature).der"
        try workshop.openssl(
            "x509", "-in", try workshop.make(order).certificateFile, "-outform", "DER", "-out", file)
        let said = try workshop.openssl("dgst", "-" + hash, "-r", file)
        #expect(said.split(separator: " ").first.map(String.init) == hexadecimal(binding))
    }

    @Test("a signature without a hash has no end point")
    func noHash() throws {
        let pair = try pair(.selfSigned.with { $0.key = .ed25519 })
        #expect(pair.shakeHands().client == .done)
        #expect(pair.client.channelBinding(.serverEndPoint) == nil)
        #expect(pair.server.channelBinding(.serverEndPoint) == nil)
        #expect(pair.client.channelBinding(.exporter) != nil)
    }

    @Test("a session that failed has none")
    func failed() throws {
        let pair = try pair()
        _ = pair.shakeHands()
        #expect(pair.client.channelBinding(.exporter) != nil)
        #expect(pair.deliver([UInt8](repeating: 7, count: 64), to: pair.client).end != .needsBytes)
        #expect(pair.client.channelBinding(.exporter) == nil)
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
