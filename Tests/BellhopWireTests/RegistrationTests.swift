import BellhopDiagnostics
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Registering over the wire")
struct RegistrationTests {
    private static let mechanisms =
        "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>"
        + "<mechanism>SCRAM-SHA-256</mechanism></mechanisms>"
    private static let tls = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"

    /// Runs a registration up to its question for the form.
    private func asked(_ script: (TestServer, BotUnderTest, TestConnection, Element) async throws -> Void) async throws
    {
        var options = TestServerOptions(tls: try TestIdentity.shared.get().server)
        options.accounts = ["newbot": "secret"]
        try await TestServer.running(options) { server in
            try await BotConfiguration.inFolder { folder in
                let configuration = try BotConfiguration.standard(
                    server, folder: folder, jid: "newbot@bots.example.test")
                try await BotUnderTest.running(configuration, registers: true) { bot in
                    let connection = try await server.connection()
                    try await connection.open(features: Self.tls)
                    try await connection.secure()
                    try await connection.open(features: Self.mechanisms)
                    let question = try await connection.expect("iq", type: "get") {
                        $0.child("query", "jabber:iq:register") != nil
                    }
                    try await script(server, bot, connection, question)
                }
            }
        }
    }

    private static func refusal(_ question: Element, _ error: String) -> String {
        "<iq type='error' id='\(question["id"] ?? "")'>\(error)</iq>"
    }

    private static func error(_ type: String, _ condition: String) -> String {
        "<error type='\(type)'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
    }

    @Test("a server that registers nobody says so before any password is sent (C020)")
    func notOffered() async throws {
        try await asked { server, bot, connection, question in
            connection.send(Self.refusal(question, Self.error("cancel", "service-unavailable")))
            let code = try await bot.ending()
            #expect(code == .unavailable)
            #expect(bot.sink.text.contains { $0.contains("does not let clients register") })
            #expect(connection.unread.allSatisfy { !$0.contains("secret") && !$0.contains("<auth") })
            #expect(server.connectionCount == 1)
        }
    }

    @Test(
        "a server that forbids and one that wants us to wait are told apart, and nothing is tried again (C021)",
        arguments: [("auth", "forbidden", "does not allow"), ("wait", "resource-constraint", "try again later")])
    func refused(type: String, condition: String, sentence: String) async throws {
        try await asked { server, bot, connection, question in
            connection.reply(to: question, with: "<query xmlns='jabber:iq:register'><username/><password/></query>")
            let form = try await connection.expect("iq", type: "set")
            connection.send(Self.refusal(form, Self.error(type, condition)))
            let code = try await bot.ending()
            #expect(code == .unavailable)
            #expect(bot.sink.text.contains { $0.contains(sentence) }, "\(bot.sink.text)")
            #expect(server.connectionCount == 1)
        }
    }

    @Test(
        "success is said after a login on a new connection, whether the server closes the old one or not (C024)",
        arguments: [true, false])
    func login(closes: Bool) async throws {
        try await asked { server, bot, connection, question in
            connection.reply(to: question, with: "<query xmlns='jabber:iq:register'><username/><password/></query>")
            let form = try await connection.expect("iq", type: "set")
            connection.reply(to: form)
            if closes { connection.close() }
            let second = try await server.connection()
            #expect(!bot.sink.text.contains { $0.contains("exists now") })
            _ = try await second.login(as: "newbot@bots.example.test")
            try await Wire(second).answerGoodbye()
            #expect(try await bot.ending() == .success)
            #expect(bot.sink.text.contains { $0.contains("exists now") })
        }
    }

    @Test("a new account that cannot log in is no success (C024)")
    func noLogin() async throws {
        try await asked { server, bot, connection, question in
            connection.reply(to: question, with: "<query xmlns='jabber:iq:register'><username/><password/></query>")
            connection.reply(to: try await connection.expect("iq", type: "set"))
            let second = try await server.connection()
            try await second.open(features: Self.tls)
            try await second.secure()
            try await second.open(features: Self.mechanisms)
            _ = try await second.expect("auth", "urn:ietf:params:xml:ns:xmpp-sasl")
            second.send("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>")
            #expect(try await bot.ending() == .loginRefused)
            #expect(server.connectionCount == 2)
        }
    }
}
