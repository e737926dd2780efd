import BellhopClient
import BellhopDiagnostics
import BellhopEngine
import BellhopTransport
import BellhopXML
import BellhopXMPP
import Foundation
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Changing a password and removing an account over the wire")
struct AccountTests {
    /// A login that does one thing, on a thread of its own.
    private func asking(
        _ request: AccountRequestRun.Request,
        _ script: (TestConnection, Element) async throws -> Void
    ) async throws -> AccountRequestRun.Outcome {
        let options = TestServerOptions(tls: try TestIdentity.shared.get().server)
        return try await TestServer.running(options) { server in
            try await BotConfiguration.inFolder { folder in
                let configuration = try BotConfiguration.standard(server, folder: folder)
                let outcomes = Mailbox<AccountRequestRun.Outcome> { "ended with \($0)" }
                let sink = RecordingSink()
                let log = Log(level: .trace, sink: sink)
                try LoopThread.start("request") {
                    let run = AccountRequestRun(
                        configuration: configuration, password: Secret("secret"), log: log, reachable: { _ in })
                    do {
                        outcomes.post(try run.run(request))
                    } catch {
                        outcomes.post(.notSent(.failed("\(error)")))
                    }
                }
                let connection = try await server.connection()
                try await login(connection)
                let asked = try await connection.expect("iq", type: "set") {
                    $0.child("query", "jabber:iq:register") != nil
                }
                try await script(connection, asked)
                let outcome = try await outcomes.take("the outcome", patience: .seconds(30)) { $0 }
                #expect(sink.text.contains { $0.contains("jabber:iq:register") })
                #expect(sink.text.allSatisfy { !$0.contains("new&lt;") && !$0.contains("secret") })
                return outcome
            }
        }
    }

    /// Up to the roster; there is no presence.
    private func login(_ connection: TestConnection) async throws {
        try await connection.open(features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
        try await connection.secure()
        try await connection.open(
            features:
                "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>SCRAM-SHA-256</mechanism></mechanisms>"
        )
        _ = try await connection.authenticate(BotConfiguration.account)
        try await connection.open(features: "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>")
        _ = try await connection.bind(BotConfiguration.account)
        let query = try await connection.expect("iq", type: "get") { $0.child("query", "jabber:iq:roster") != nil }
        connection.reply(to: query, with: "<query xmlns='jabber:iq:roster'/>")
    }

    private static func change(_ password: String) throws -> AccountRequestRun.Request {
        .passwordChange(try Credentials(user: "opsbot", password: password))
    }

    private static let notAllowed =
        "<error type='cancel'><not-allowed xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"

    @Test("a new password goes to the server's domain with the account's name, and its yes is a yes")
    func change() async throws {
        let outcome = try await asking(try Self.change("new<&>")) { connection, asked in
            #expect(asked["to"] == "bots.example.test")
            let query = asked.child("query", "jabber:iq:register")
            #expect(query?.child("username", "jabber:iq:register")?.text == "opsbot")
            #expect(query?.child("password", "jabber:iq:register")?.text == "new<&>")
            connection.reply(to: asked)
            try await Wire(connection).answerGoodbye()
        }
        #expect(outcome == .done)
    }

    @Test("a no is told with its reason")
    func refused() async throws {
        for request in [try Self.change("new"), .removal] {
            let outcome = try await asking(request) { connection, asked in
                connection.send("<iq type='error' id='\(asked["id"] ?? "")'>\(Self.notAllowed)</iq>")
                try await Wire(connection).answerGoodbye()
            }
            guard case .refused(let error) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(error.condition == .notAllowed)
        }
    }

    @Test("a connection that ends without an answer leaves it unknown")
    func broken() async throws {
        for request in [try Self.change("new"), .removal] {
            let outcome = try await asking(request) { connection, _ in connection.close() }
            guard case .unknown(_?) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
    }

    @Test("the removal has no address, and an answer as well as the error not-authorized mean that it is done")
    func removal() async throws {
        for answers in [true, false] {
            let outcome = try await asking(.removal) { connection, asked in
                #expect(asked["to"] == nil)
                #expect(asked.child("query", "jabber:iq:register")?.children.map(\.name) == ["remove"])
                if answers { return connection.reply(to: asked) }
                connection.send(
                    "<stream:error><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>")
                connection.close()
            }
            #expect(outcome == .done)
        }
    }

    @Test("the same error as the answer to a new password says nothing about it")
    func changeCutOff() async throws {
        let outcome = try await asking(try Self.change("new")) { connection, _ in
            connection.send(
                "<stream:error><not-authorized xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>")
            connection.close()
        }
        guard case .unknown(_?) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    // MARK: The running bot

    @Test("a bot whose password was changed comes back with the one in its file, or with the one that waits beside it")
    func newerPassword() async throws {
        for name in ["password", "password.new"] {
            var options = TestServerOptions(tls: try TestIdentity.shared.get().server)
            options.accounts = ["opsbot": "newer"]
            try await TestServer.running(options) { server in
                try await BotConfiguration.inFolder { folder in
                    var configuration = try BotConfiguration.standard(server, folder: folder)
                    configuration.account.passwordFile = folder + "/password"
                    try Data("secret\n".utf8).write(to: URL(filePath: folder + "/password"))
                    try Data("newer\n".utf8).write(to: URL(filePath: folder + "/" + name))
                    try await BotUnderTest.running(configuration) { bot in
                        try await refuseLogin(try await server.connection())
                        let second = try await server.connection()
                        _ = try await second.login(as: BotConfiguration.account)
                        bot.stop()
                        try await Wire(second).answerGoodbye()
                        #expect(try await bot.ending() == .success)
                        #expect(bot.sink.text.contains { $0.contains("trying the one that is in its file now") })
                        #expect(server.connectionCount == 2)
                    }
                }
            }
        }
    }

    @Test("where no other password is known, a wrong one ends the bot after one attempt; a second wrong one after two")
    func wrongPasswords() async throws {
        for (files, connections) in [(["password"], 1), (["password", "password.new"], 2)] {
            let options = TestServerOptions(tls: try TestIdentity.shared.get().server)
            try await TestServer.running(options) { server in
                try await BotConfiguration.inFolder { folder in
                    var configuration = try BotConfiguration.standard(server, folder: folder)
                    configuration.account.passwordFile = folder + "/password"
                    for (number, name) in files.enumerated() {
                        let text = number == 0 ? "secret\n" : "wrong\n"
                        try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
                    }
                    try await BotUnderTest.running(configuration) { bot in
                        for _ in 0..<connections { try await refuseLogin(try await server.connection()) }
                        #expect(try await bot.ending() == .loginRefused)
                        #expect(server.connectionCount == connections)
                    }
                }
            }
        }
    }

    private func refuseLogin(_ connection: TestConnection) async throws {
        try await connection.open(features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
        try await connection.secure()
        try await connection.open(
            features:
                "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>SCRAM-SHA-256</mechanism></mechanisms>"
        )
        _ = try await connection.expect("auth", "urn:ietf:params:xml:ns:xmpp-sasl")
        connection.send("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>")
    }
}
