import BellhopTransport
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("What a handshake shows")
struct HelloTests {
    private static let application = [UInt8(11)] + Array("xmpp-client".utf8)

    /// The first bytes of a bot at a server that takes connections and says nothing.
    private func firstBytes(
        domain: String, security: ServerTarget.Security
    ) async throws -> [UInt8] {
        let listener = try Listener()
        let doorbell = try Wakeup()
        let arrivals = Mailbox<[UInt8]> { "\($0.count) bytes" }
        try LoopThread.start("hello") {
            guard let socket = listener.accept(until: doorbell) else { return arrivals.end("nobody came") }
            let poller = Poller(wakeup: doorbell)
            var room = [UInt8](repeating: 0, count: 4096)
            var bytes: [UInt8] = []
            // A record's length stands in its fourth and fifth byte.
            while bytes.count < 5
                || bytes.first == 0x16 && bytes.count < 5 + (Int(bytes[3]) << 8 | Int(bytes[4]))
            {
                switch socket.read(into: &room) {
                case .bytes(let count): bytes += room.prefix(count)
                case .wouldBlock:
                    if poller.wait(socket: socket, reading: true, writing: false, timeout: nil).woken { return }
                case .ended, .failed: return arrivals.end("the client left")
                }
            }
            arrivals.post(bytes)
        }
        defer { doorbell.ring() }
        var result: [UInt8] = []
        try await FindingStage.running([]) { _ in
            Zone()
        } configure: { configuration in
            configuration.account.jid = try JID("opsbot@\(domain)")
            configuration.account.server = .init(
                host: "127.0.0.1", port: listener.port, directTLS: security == .directTLS)
        } script: { _ in
            result = try await arrivals.take("the first bytes", patience: .seconds(30)) { $0 }
        }
        return result
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    @Test(
        "direct TLS begins with a hello that announces xmpp-client and the domain in ASCII",
        arguments: [("bots.example.test", "bots.example.test"), ("m\u{FC}ller.test", "xn--mller-kva.test")])
    func direct(domain: String, ascii: String) async throws {
        let hello = try await firstBytes(domain: domain, security: .directTLS)
        #expect(hello.first == 0x16)
        #expect(contains(hello, Self.application))
        #expect(contains(hello, Array(ascii.utf8)))
        #expect(!contains(hello, Array("opsbot".utf8)))
    }

    @Test("an address as domain is no server name", arguments: ["127.0.0.1", "[::1]"])
    func literal(domain: String) async throws {
        let hello = try await firstBytes(domain: domain, security: .directTLS)
        #expect(hello.first == 0x16)
        #expect(contains(hello, Self.application))
        #expect(!contains(hello, Array("127.0.0.1".utf8)) && !contains(hello, Array("::1".utf8)))
    }

    @Test("STARTTLS begins in the clear, with the domain and without the account")
    func startTLS() async throws {
        let bytes = try await firstBytes(domain: "m\u{FC}ller.test", security: .startTLS)
        #expect(bytes.first == UInt8(ascii: "<"))
        #expect(!contains(bytes, Array("opsbot".utf8)))
    }
}
