import BellhopCrypto
import CertificateWorkshop
import Foundation
import Testing

@Suite("Client certificates")
struct ClientCertificateTests {
    private static let bot = CertificateOrder("bot.chat.example").with { $0.usage = "clientAuth" }

    private func pair(
        identity order: CertificateOrder?, asked: Bool = true, version: TLSVersion = .tls13
    ) throws -> TLSPair {
        let workshop = try CertificateWorkshop.shared.get()
        let trust = TLSTrust.file(workshop.authority)
        let identity = try order.map { try workshop.make($0) }
        let server = try workshop.make(.good)
        return TLSPair(
            client: try TLSSession(
                client: try .client(trust: trust, identity: identity, versions: version...version),
                name: .dns("chat.example")),
            server: try TLSSession(
                server: try .server(server, clients: asked ? trust : nil)))
    }

    @Test("a server that asks sees the certificate", arguments: [TLSVersion.tls12, .tls13])
    func shown(version: TLSVersion) throws {
        let pair = try pair(identity: Self.bot, version: version)
        let last = pair.shakeHands()
        #expect(last.client == .done)
        #expect(last.server == .done)
        #expect(pair.server.facts?.certificate?.names == ["bot.chat.example"])
        #expect(pair.client.isCertificateAsked)
        #expect(pair.client.channelBinding(.serverEndPoint) == pair.server.channelBinding(.serverEndPoint))
    }

    @Test("a server that does not ask sees none, and one that asks lets a client without one in")
    func notShown() throws {
        for (pair, asks) in [(try pair(identity: Self.bot, asked: false), false), (try pair(identity: nil), true)] {
            #expect(pair.shakeHands().server == .done)
            #expect(pair.client.isCertificateAsked == asks)
            #expect(pair.server.facts != nil)
            #expect(pair.server.facts?.certificate == nil)
        }
    }

    @Test(
        "the XMPP addresses of a certificate are read, and nothing else is taken for one",
        arguments: [
            ("otherName:1.3.6.1.5.5.7.8.5;UTF8:bot@chat.example", ["bot@chat.example"]),
            (
                "DNS:chat.example, otherName:1.3.6.1.5.5.7.8.5;UTF8:a@x, otherName:1.3.6.1.5.5.7.8.5;UTF8:b@x",
                ["a@x", "b@x"]
            ),
            ("DNS:chat.example, email:bot@chat.example, otherName:1.2.3.4;UTF8:bot@chat.example", []),
        ])
    func addresses(names: String, found: [String]) throws {
        let workshop = try CertificateWorkshop.shared.get()
        let identity = try workshop.make(Self.bot.with { $0.names = names })
        #expect(try TLSContext.client(trust: .file(workshop.authority), identity: identity).addresses == found)
        #expect(try TLSContext.client(trust: .file(workshop.authority)).addresses == [])
    }

    @Test(
        "a key that is not the certificate's is found, of the same type and of another",
        arguments: [CertificateOrder.Key.another, .rsa, .ed25519])
    func anothersKey(_ kind: CertificateOrder.Key) throws {
        let workshop = try CertificateWorkshop.shared.get()
        let own = try workshop.make(Self.bot)
        let other = try workshop.make(Self.bot.with { $0.key = kind })
        func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
        let certificate = try bytes(own.certificateFile)
        #expect(TLSIdentity.isPair(certificate: certificate, key: try bytes(own.keyFile)) == true)
        #expect(TLSIdentity.isPair(certificate: certificate, key: try bytes(other.keyFile)) == false)
        #expect(TLSIdentity.isPair(certificate: certificate, key: certificate) == nil)
        #expect(TLSIdentity.isPair(certificate: [], key: []) == nil)
        let mixed = TLSIdentity(certificateFile: own.certificateFile, keyFile: other.keyFile)
        #expect {
            try TLSContext.client(trust: .file(workshop.authority), identity: mixed)
        } throws: { error in
            guard case .identityFile(other.keyFile, _)? = error as? TLSError else { return false }
            return true
        }
    }

    @Test("the server refuses a client whose certificate is not good", arguments: [TLSVersion.tls12, .tls13])
    func refused(version: TLSVersion) throws {
        let stranger = Self.bot.with { $0.signer = .stranger }
        let pair = try pair(identity: stranger, version: version)
        guard case .failed(.certificate(.unknownAuthority, let certificate)) = pair.shakeHands().server else {
            Issue.record("the server took it")
            return
        }
        #expect(certificate?.names == ["bot.chat.example"])
        var plain: [UInt8] = []
        // In TLS 1.3 a client has done its part before the server looks.
        switch pair.client.read(into: &plain) {
        case .failed(.handshake), .failed(.protocol): break
        case let other: Issue.record("the client read \(other)")
        }
    }
}
