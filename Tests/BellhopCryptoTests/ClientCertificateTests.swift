import BellhopCrypto
import CertificateWorkshop
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
        #expect(pair.server.facts?.certificateNames == ["bot.chat.example"])
        #expect(pair.client.channelBinding(.serverEndPoint) == pair.server.channelBinding(.serverEndPoint))
    }

    @Test("a server that does not ask sees none, and one that asks lets a client without one in")
    func notShown() throws {
        for pair in [try pair(identity: Self.bot, asked: false), try pair(identity: nil)] {
            #expect(pair.shakeHands().server == .done)
            #expect(pair.server.facts?.certificateNames == [])
        }
    }

    @Test("the server refuses a client whose certificate is not good", arguments: [TLSVersion.tls12, .tls13])
    func refused(version: TLSVersion) throws {
        let stranger = Self.bot.with { $0.signer = .stranger }
        let pair = try pair(identity: stranger, version: version)
        #expect(pair.shakeHands().server == .failed(.certificate(.unknownAuthority)))
        var plain: [UInt8] = []
        // In TLS 1.3 a client has done its part before the server looks.
        switch pair.client.read(into: &plain) {
        case .failed(.handshake), .failed(.protocol): break
        case let other: Issue.record("the client read \(other)")
        }
    }
}
