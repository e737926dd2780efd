import BellhopCrypto
import BellhopDiagnostics
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("jabber:iq:auth over the wire")
struct LegacyLoginTests {
    private static let startTLS = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"
    private static let feature = "<auth xmlns='http://jabber.org/features/iq-auth'/>"

    private func running(
        allowed: Bool, _ script: (BotUnderTest, TestConnection) async throws -> Void
    ) async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                configuration.account.connection.allowsLegacyLogin = allowed
                try await BotUnderTest.running(configuration) { bot in
                    let connection = try await server.connection()
                    try await connection.open(features: Self.startTLS)
                    try await connection.secure()
                    try await script(bot, connection)
                }
            }
        }
    }

    @Test("a server with nothing else takes a digest, and the bot works there, with a large roster too")
    func digest() async throws {
        try await running(allowed: true) { bot, connection in
            _ = try await connection.expectStream()
            connection.send(
                "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
                    + "from='bots.example.test' id='a&amp;&quot;1' version='1.0'><stream:features>\(Self.feature)"
                    + "</stream:features>")
            try await connection.answer(
                "query", "jabber:iq:auth",
                with: "<query xmlns='jabber:iq:auth'><username/><digest/><password/><resource/></query>")
            let login = try await connection.expect("iq", type: "set") { $0.child("query", "jabber:iq:auth") != nil }
            let query = try #require(login.child("query", "jabber:iq:auth"))
            let digest = Hash.sha1.digest(Array("a&\"1secret".utf8)).map {
                ($0 < 16 ? "0" : "") + String($0, radix: 16)
            }
            #expect(query.child("digest", "jabber:iq:auth")?.text == digest.joined())
            #expect(query.child("username", "jabber:iq:auth")?.text == "opsbot")
            #expect(query.child("resource", "jabber:iq:auth")?.text == "main")
            #expect(query.child("password", "jabber:iq:auth") == nil)
            connection.reply(to: login)
            // More than a stream takes before its login.
            let items = (0..<2_000).map { "<item jid='contact-\($0)@example.test' subscription='both'/>" }.joined()
            try await connection.answer(
                "query", "jabber:iq:roster", with: "<query xmlns='jabber:iq:roster'>\(items)</query>")
            let line = try await bot.sink.expect("login")
            #expect(line.fields.contains { $0.name == "mechanism" && $0.value == "jabber:iq:auth (digest)" })
            connection.send(OnlineBot.message("!ping", to: BotConfiguration.bound))
            _ = try await connection.expect(body: "pong")
        }
    }

    @Test("without leave nothing is sent, and the sentence says which key gives it")
    func forbidden() async throws {
        try await running(allowed: false) { bot, connection in
            try await connection.open(features: Self.feature)
            #expect(try await bot.ending() == .loginRefused)
            let said = try #require(bot.sink.lines.last { $0.event == "stop" })
            #expect(said.message.contains("account.allowLegacyLogin"))
            #expect(connection.unread.allSatisfy { !$0.contains("<iq") })
        }
    }
}
