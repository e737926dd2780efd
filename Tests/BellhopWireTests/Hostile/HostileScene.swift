import BellhopCrypto
import BellhopXML

@testable import Bellhop
@testable import BellhopTestServer

/// The server's side of a row.
final class HostileScene {
    static let password = "correct-horse-battery-staple"

    let server: TestServer
    let bot: BotUnderTest
    let world: HostileWorld
    /// The connection that the script used last.
    private(set) var connection: TestConnection
    private var settlings = 0

    init(_ server: TestServer, _ bot: BotUnderTest, _ world: HostileWorld) async throws {
        self.server = server
        self.bot = bot
        self.world = world
        connection = try await server.connection()
    }

    /// The bot's next connection.
    func nextConnection() async throws { connection = try await server.connection() }

    /// Plays an honest server up to this stage.
    func reach(_ stage: HostileRow.Stage) async throws {
        switch stage {
        case .dialled: break
        case .requestingTLS:
            try await connection.open(features: HostileTable.startTLS)
            _ = try await connection.expect("starttls", HostileTable.tls)
        case .opened:
            try await secure()
            try await open()
        case .offered:
            try await secure()
            try await connection.open(features: HostileTable.mechanisms(server.options.mechanisms))
        case .authenticated:
            try await reach(.offered)
            _ = try await connection.authenticate(BotConfiguration.account)
        case .online: try await logIn()
        }
    }

    /// The whole login, as an honest server plays it.
    func logIn() async throws {
        _ = try await connection.login(as: BotConfiguration.account, roster: OnlineBot.contacts)
        try await bot.sink.expect("online")
    }

    /// TLS, with this certificate where it is not to be the server's own.
    func secure(as other: TLSContext? = nil) async throws {
        try await connection.open(features: HostileTable.startTLS)
        try await connection.secure(with: other)
    }

    /// Answers the bot's stream header with one, and with nothing behind it.
    func open() async throws {
        _ = try await connection.expectStream()
        connection.send(HostileTable.header)
    }

    /// Answers the third stream header with these features besides binding, and binds this JID.
    func bind(_ features: String = "", jid: String = BotConfiguration.bound) async throws {
        try await connection.open(features: HostileTable.bind + features)
        try await answerBind("<bind xmlns='\(HostileTable.bindNamespace)'><jid>\(jid)</jid></bind>")
    }

    func answerBind(_ payload: String, from sender: String? = nil) async throws {
        let request = try await connection.expect("iq") { $0.child("bind", HostileTable.bindNamespace) != nil }
        let from = sender.map { " from='\($0)'" } ?? ""
        connection.send("<iq type='result' id='\(request["id"] ?? "")'\(from)>\(payload)</iq>")
    }

    /// Answers the question for the roster, with which the login comes to its end.
    func sendRoster(_ items: String = "<item jid='alice@example.test' subscription='both'/>") async throws {
        try await connection.answer(
            "query", "jabber:iq:roster", with: "<query xmlns='jabber:iq:roster'>\(items)</query>")
    }

    /// Answers the bot's first SCRAM message with what the closure makes of its nonce.
    func challenge(_ message: (_ nonce: String) -> String) async throws {
        let auth = try await connection.expect("auth", HostileTable.sasl)
        let first = String(decoding: Base64.decode(auth.text) ?? [], as: UTF8.self)
        let nonce = first.split(separator: ",").last { $0.hasPrefix("r=") }?.dropFirst(2) ?? ""
        connection.send(HostileTable.element("challenge", message(String(nonce))))
    }

    /// An honest first answer, and the bot's proof.
    func takeProof() async throws {
        try await challenge { "r=\($0)server,s=c2FsdCBvZiBvcHNib3Q=,i=4096" }
        _ = try await connection.expect("response", HostileTable.sasl)
    }

    /// Returns when the bot has taken all that was sent before.
    func settle() async throws {
        settlings += 1
        let id = "settle-\(settlings)"
        connection.send("<iq type='get' from='bots.example.test' id='\(id)'><ping xmlns='urn:xmpp:ping'/></iq>")
        _ = try await connection.expect("iq", type: "result", id: id)
    }

    /// Drops the connection, and plays an honest server on the bot's next one.
    func logInAgain() async throws {
        connection.drop()
        try await nextConnection()
        try await logIn()
    }

    /// The same by a server that knows the password; its own proof.
    func takeProof(andVerify password: String) async throws -> [UInt8] {
        let auth = try await connection.expect("auth", HostileTable.sasl)
        guard
            var verifier = SCRAMVerifier(
                Base64.decode(auth.text) ?? [], user: "opsbot", password: password, mechanism: "SCRAM-SHA-256")
        else { return [] }
        let challenge = verifier.challenge(nonce: "server", salt: Array("salt of opsbot".utf8))
        connection.send("<challenge xmlns='\(HostileTable.sasl)'>\(Base64.encode(challenge))</challenge>")
        let response = try await connection.expect("response", HostileTable.sasl)
        return verifier.verify(Base64.decode(response.text) ?? []) ?? []
    }

    /// Returns when the bot has read what was sent, and its answer is on the way.
    func isRead() async throws {
        try await connection.handedOver()
        // The first turn may have begun before the bytes came.
        for _ in 0..<2 { _ = try await bot.ask { _ in true } }
    }

    /// Lets so much time pass for the bot, second by second, each with what the closure does meanwhile.
    func pass(seconds: Int, _ meanwhile: (Int) async throws -> Void = { _ in }) async throws {
        for second in 0..<seconds {
            // It may have left before the last of them: real time passes, too.
            guard (try? await meanwhile(second)) != nil else { return }
            world.pass(.seconds(1))
            // Wakes the bot, and returns when it has looked at the clock.
            guard (try? await bot.ask { _ in true }) != nil else { return }
        }
    }
}
