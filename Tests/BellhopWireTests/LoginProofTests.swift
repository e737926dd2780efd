import BellhopClient
import BellhopDiagnostics
import BellhopEngine
import BellhopJournal
import BellhopTransport
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("PLAIN after SCRAM, over restarts")
struct LoginProofTests {
    private static let startTLS = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"
    private static let plain =
        "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism></mechanisms>"

    /// A server with SCRAM and PLAIN, and a bot's configuration that allows both.
    private func runs(_ script: (TestServer, Configuration) async throws -> Void) async throws {
        var options = TestServerOptions(tls: try TestIdentity.shared.get().server)
        options.mechanisms = ["SCRAM-SHA-256", "PLAIN"]
        try await TestServer.running(options) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                configuration.account.connection.allowsPlain = true
                try await script(server, configuration)
            }
        }
    }

    /// Plays a server that has PLAIN alone; whether the bot uses it.
    private func takesPlain(_ server: TestServer, _ configuration: Configuration) async throws -> Bool {
        try await BotUnderTest.running(configuration) { bot in
            let connection = try await server.connection()
            try await connection.open(features: Self.startTLS)
            try await connection.secure()
            try await connection.open(features: Self.plain)
            if try StoredLogin(configuration: configuration, log: .silent).proof() == nil {
                #expect(try await connection.authenticate(BotConfiguration.account) == "PLAIN")
                return true
            }
            #expect(try await bot.ending() == .loginRefused)
            let said = try #require(bot.sink.lines.last { $0.event == "stop" })
            #expect(said.message.contains("SCRAM-SHA-256") && said.message.contains("login reset"))
            #expect(connection.unread.allSatisfy { !$0.contains("<auth") })
            return false
        }
    }

    private func reset(_ configuration: Configuration) -> ControlAnswer? {
        let errand = Errand(configuration: configuration, program: "testbot", log: .silent)
        guard case .answered(let answer) = errand.run(.resetLogin) else { return nil }
        return answer
    }

    @Test("once SCRAM worked PLAIN is not used, in no later run either, until somebody resets that")
    func pinned() async throws {
        try await runs { server, configuration in
            #expect(reset(configuration) == .resetLogin(after: nil))
            #expect(try await takesPlain(server, configuration))
            try await OnlineBot.running(configuration, server) { online in
                #expect(online.login.mechanism == "SCRAM-SHA-256")
                let ending = try await online.stop()
                #expect(ending == .success)
            }
            #expect(try await !takesPlain(server, configuration))
            #expect(try await !takesPlain(server, configuration))
            #expect(reset(configuration) == .resetLogin(after: "SCRAM-SHA-256"))
            #expect(reset(configuration) == .resetLogin(after: nil))
            #expect(try await takesPlain(server, configuration))
        }
    }

    @Test("the proof counts from the moment of the login, be the session granted or not")
    func withoutSession() async throws {
        try await runs { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let connection = try await server.connection()
                try await connection.authenticate(offering: "")
                _ = try await connection.expect("iq")
                connection.drop()
                _ = try await bot.sink.expect("offline")
                _ = try await bot.ask { _ in true }
            }
            #expect(try StoredLogin(configuration: configuration, log: .silent).proof() == .scramSHA256)
        }
    }

    @Test("a running bot resets it too, for its next login")
    func resetWhileRunning() async throws {
        try await runs { server, configuration in
            try await OnlineBot.running(configuration, server) { online in
                #expect(reset(configuration) == .resetLogin(after: "SCRAM-SHA-256"))
                #expect(try StoredLogin(configuration: configuration, log: .silent).proof() == nil)
                online.wire.connection.drop()
                let connection = try await server.connection()
                try await connection.open(features: Self.startTLS)
                try await connection.secure()
                try await connection.open(features: Self.plain)
                #expect(try await connection.authenticate(BotConfiguration.account) == "PLAIN")
                try await connection.open(features: "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>")
                _ = try await connection.bind(BotConfiguration.account)
                try await connection.answer("query", "jabber:iq:roster")
                _ = try await connection.expect("presence")
                #expect(try await online.stop(over: Wire(connection)) == .success)
            }
        }
    }

    @Test("check --online keeps to it, too")
    func online() async throws {
        try await runs { server, configuration in
            try await OnlineBot.running(configuration, server) { online in
                let ending = try await online.stop()
                #expect(ending == .success)
            }
            let checking = Task.detached { OnlineCheck(configuration: configuration, log: .silent) { _ in }.run() }
            let connection = try await server.connection()
            try await connection.open(features: Self.startTLS)
            try await connection.secure()
            try await connection.open(features: Self.plain)
            guard case .ended(.loginRefused(let reason)) = await checking.value else {
                Issue.record("PLAIN was used")
                return
            }
            #expect(reason.contains("login reset"))
        }
    }

    @Test("passwd, unregister and register keep to it, too", arguments: ["passwd", "unregister", "register"])
    func account(what: String) async throws {
        try await runs { server, configuration in
            try await OnlineBot.running(configuration, server) { online in
                let ending = try await online.stop()
                #expect(ending == .success)
            }
            let codes = Mailbox<ExitCode> { "ended with \($0)" }
            let command: @Sendable () throws -> ExitCode = {
                guard what != "register" else {
                    return RegisterRun(configuration: configuration, program: "testbot", log: .silent) { _ in }.run()
                }
                let run = AccountRequestRun(
                    configuration: configuration, password: BotConfiguration.password, log: .silent
                ) { _ in }
                let new = try Credentials(user: "opsbot", password: "new")
                return AccountPhrases.removalCode(try run.run(what == "passwd" ? .passwordChange(new) : .removal))
            }
            try LoopThread.start(what) { codes.post((try? command()) ?? .invalidData) }
            var connection = try await server.connection()
            try await connection.open(features: Self.startTLS)
            try await connection.secure()
            try await connection.open(features: Self.plain)
            if what == "register" {
                let form = "<query xmlns='jabber:iq:register'><username/><password/></query>"
                connection.reply(to: try await connection.expect("iq", type: "get"), with: form)
                connection.reply(to: try await connection.expect("iq", type: "set"))
                connection = try await server.connection()
                try await connection.open(features: Self.startTLS)
                try await connection.secure()
                try await connection.open(features: Self.plain)
            }
            let code = try await codes.take("the end of the command", patience: .seconds(30)) { $0 }
            #expect(code == .loginRefused)
            #expect(connection.unread.allSatisfy { !$0.contains("<auth") && !$0.contains("password") })
        }
    }
}
