import BellhopCrypto
import BellhopDiagnostics
import BellhopEngine
import BellhopXML
import Foundation
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Logins with tokens on the wire, over restarts (XEP-0484)")
struct TokenTests: StreamStage {
    private static let sasl2 = "urn:xmpp:sasl:2"
    private static let exporter = "HT-SHA-256-EXPR"
    private static let features = """
        <stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>\(TestConnection.offersStreams)</stream:features>
        """

    private static func inside(_ token: String?) -> String {
        "<authorization-identifier>\(BotConfiguration.account)</authorization-identifier>"
            + (token.map { "<token xmlns='urn:xmpp:fast:0' token='\($0)' expiry='2999-01-01T00:00:00Z'/>" } ?? "")
    }

    /// What a success holds for a new session: the broken stream that may have been asked for is gone.
    private static func inside(_ token: String?, for opening: Element) -> String {
        (opening.child("resume", sm) == nil ? "" : "<failed xmlns='\(sm)'/>") + inside(token)
    }

    /// Plays a server with tokens up to its offer.
    private func offer(_ server: TestServer, _ mechanisms: [String] = [exporter]) async throws -> TestConnection {
        let connection = try await server.connection()
        connection.answerDiscovery(Discovery())
        try await connection.openForSASL2(
            inline: TestConnection.offersStreams + TestConnection.offersTokens(mechanisms))
        return connection
    }

    /// Grants a session, up to the bot's presence.
    private func grantSession(_ connection: TestConnection) async throws -> Wire {
        _ = try await connection.bind(BotConfiguration.account)
        try await connection.enableStream(id: "s\(connection.number)")
        try await connection.answer("query", "jabber:iq:roster", with: "<query xmlns='jabber:iq:roster'/>")
        _ = try await connection.expect("presence") { $0["to"] == nil && $0["type"] == nil }
        return Wire(connection)
    }

    /// A login with the password, for which the server gives out a token; returns which mechanism that was asked for.
    @discardableResult
    private func byPassword(_ connection: TestConnection, granting token: String?) async throws -> (String?, Wire) {
        let opening = try await connection.authenticateBySASL2(BotConfiguration.account) { opening in
            (Self.inside(token, for: opening), Self.features)
        }
        let wanted = opening.child("request-token", TestConnection.fast)?["mechanism"]
        return (wanted, try await grantSession(connection))
    }

    /// A login with a token; returns its count.
    private func byToken(
        _ connection: TestConnection, _ token: String, granting next: String? = nil
    ) async throws -> (String?, Wire) {
        let opening = try await connection.authenticateByToken(BotConfiguration.account, token) { opening in
            (Self.inside(next, for: opening), Self.features)
        }
        #expect(opening["mechanism"] == Self.exporter && opening.child("request-token", TestConnection.fast) == nil)
        return (opening.child("fast", TestConnection.fast)?["count"], try await grantSession(connection))
    }

    /// A whole run of the bot that ends without a goodbye.
    private func run(
        _ configuration: Configuration, level: LogLevel = .debug, _ script: (BotUnderTest) async throws -> Void
    ) async throws {
        try await BotUnderTest.running(configuration, level: level) { bot in
            try await script(bot)
            // What the last turn did is in the journal then.
            _ = try await bot.ask { _ in true }
            try await cutOff(bot)
        }
    }

    private func proof(_ configuration: Configuration) throws -> String? {
        try StoredLogin(configuration: configuration, log: .silent).proof()?.rawValue
    }

    @Test("a token takes the place of the password in later runs, and the one after it that of the token")
    func rotation() async throws {
        try await runs { server, configuration in
            let secrets = ["first-token-of-all", "second-token-of-all"]
            var said: [UInt8] = []
            var lines: [String] = []
            try await run(configuration, level: .trace) { bot in
                let connection = try await offer(server)
                #expect(try await byPassword(connection, granting: secrets[0]).0 == Self.exporter)
                said += connection.heard.secured
                lines += bot.sink.lines.map { "\($0)" }
            }
            let proven = try proof(configuration)
            try await run(configuration, level: .trace) { bot in
                let connection = try await offer(server)
                #expect(try await byToken(connection, secrets[0]).0 == "1")
                said += connection.heard.secured
                lines += bot.sink.lines.map { "\($0)" }
                #expect(bot.sink.lines.contains { $0.event == "login" && "\($0)".contains(Self.exporter) })
            }
            try await run(configuration, level: .trace) { bot in
                let connection = try await offer(server)
                // The count goes on where the last run was.
                #expect(try await byToken(connection, secrets[0], granting: secrets[1]).0 == "2")
                said += connection.heard.secured
                lines += bot.sink.lines.map { "\($0)" }
            }
            try await run(configuration, level: .trace) { bot in
                let connection = try await offer(server)
                #expect(try await byToken(connection, secrets[1]).0 == "1")
                said += connection.heard.secured
                lines += bot.sink.lines.map { "\($0)" }
            }
            // Neither raised nor lowered by tokens.
            #expect(try proof(configuration) == proven && proven == "SCRAM-SHA-256")
            let text = String(decoding: said, as: UTF8.self) + lines.joined(separator: "\n")
            for secret in secrets + [BotConfiguration.password.reveal()] {
                #expect(!text.contains(secret) && !text.contains(Base64.encode(Array(secret.utf8))))
            }
            #expect(lines.contains { $0.contains("<success") } && lines.contains { $0.contains("<authenticate") })
        }
    }

    @Test("a broken stream goes on within a login with the token")
    func resumed() async throws {
        try await runs { server, configuration in
            try await run(configuration) { bot in
                let first = try await offer(server)
                let (_, wire) = try await byPassword(first, granting: "token")
                try await wire.settle(bot)
                first.drop()
                let second = try await offer(server)
                let opening = try await second.authenticateByToken(BotConfiguration.account, "token") { _ in
                    ("<resumed xmlns='\(Self.sm)' h='5' previd='s1'/>" + Self.inside("next"), "")
                }
                #expect(opening.child("resume", Self.sm)?["previd"] == "s1")
                second.send(says("!echo one", id: "a"))
                let next = Wire(second)
                try await next.expect(body: "one")
            }
            try await run(configuration) { _ in
                let third = try await offer(server)
                #expect(try await byToken(third, "next").0 == "1")
            }
        }
    }

    // MARK: Refusals

    @Test(
        "a token that the server does not take any more costs nothing but a step: the password logs in on the same stream",
        arguments: ["not-authorized", "credentials-expired"])
    func refused(condition: String) async throws {
        try await runs { server, configuration in
            try await run(configuration) { _ in try await byPassword(try await offer(server), granting: "token-one") }
            try await run(configuration, level: .trace) { bot in
                let connection = try await offer(server)
                let shown = try await connection.expect("authenticate", Self.sasl2)
                #expect(shown["mechanism"] == Self.exporter)
                connection.refuseLogin(condition, text: "not token-one")
                #expect(try await byPassword(connection, granting: nil).0 == Self.exporter)
                let said = bot.sink.lines.map { "\($0)" }
                #expect(said.contains { $0.contains("does not take the token") })
                #expect(!said.contains { $0.contains("wrong") })
                // Nor does the server's own quotation show it.
                #expect(said.contains { $0.contains("<text>not •••</text>") })
                #expect(!said.contains { $0.contains("token-one") })
                #expect(!bot.sink.lines.contains { $0.event == "offline" })
            }
            // It is gone for good.
            try await run(configuration) { _ in
                let connection = try await offer(server)
                #expect(try await byPassword(connection, granting: nil).0 == Self.exporter)
            }
        }
    }

    @Test(
        "a server that takes no password on the stream of a refused token meets it on the next, without a wait",
        arguments: ["", "invalid-mechanism", "malformed-request"])
    func refusedAndClosed(condition: String) async throws {
        try await runs { server, configuration in
            try await run(configuration) { _ in try await byPassword(try await offer(server), granting: "token") }
            try await run(configuration) { bot in
                let first = try await offer(server)
                _ = try await first.expect("authenticate", Self.sasl2)
                first.refuseLogin("not-authorized")
                let shown = try await first.expect("authenticate", Self.sasl2)
                #expect(shown["mechanism"] == "SCRAM-SHA-256")
                if condition.isEmpty { first.drop() } else { first.refuseLogin(condition) }
                let second = try await offer(server)
                try await byPassword(second, granting: nil)
                #expect(!bot.sink.lines.contains { $0.event == "offline" })
            }
        }
    }

    @Test("a password that is wrong, too, is tried once")
    func bothWrong() async throws {
        try await runs { server, configuration in
            try await run(configuration) { _ in try await byPassword(try await offer(server), granting: "token") }
            try await BotUnderTest.running(configuration) { bot in
                let connection = try await offer(server)
                _ = try await connection.expect("authenticate", Self.sasl2)
                connection.refuseLogin("not-authorized")
                _ = try await connection.expect("authenticate", Self.sasl2)
                connection.refuseLogin("not-authorized")
                #expect(try await bot.ending() == .loginRefused)
                let said = try #require(bot.sink.lines.last { $0.event == "stop" })
                #expect(said.message.contains("user name or password is wrong"))
            }
        }
    }

    @Test("a new token that the server lost leaves the one before it for the next connection")
    func former() async throws {
        try await runs { server, configuration in
            try await run(configuration) { _ in try await byPassword(try await offer(server), granting: "former") }
            try await run(configuration) { _ in
                let connection = try await offer(server)
                _ = try await byToken(connection, "former", granting: "lost")
            }
            try await run(configuration) { _ in
                let first = try await offer(server)
                _ = try await first.expect("authenticate", Self.sasl2)
                first.refuseLogin("not-authorized")
                _ = try await first.expect("authenticate", Self.sasl2)
                first.refuseLogin("invalid-mechanism")
                let second = try await offer(server)
                #expect(try await byToken(second, "former").0 == "3")
            }
        }
    }

    @Test("a server that hangs up on a token meets the password next, and the token again only after that")
    func hangsUp() async throws {
        try await runs { server, configuration in
            try await run(configuration) { _ in try await byPassword(try await offer(server), granting: "token") }
            try await run(configuration) { _ in
                let first = try await offer(server)
                #expect(try await first.expect("authenticate", Self.sasl2)["mechanism"] == Self.exporter)
                first.drop()
                let second = try await offer(server)
                let (wanted, wire) = try await byPassword(second, granting: nil)
                #expect(wanted == Self.exporter)
                try await wire.settle()
                second.drop()
                let third = try await offer(server)
                let opening = try await third.authenticateByToken(BotConfiguration.account, "token") { _ in
                    ("<failed xmlns='\(Self.sm)'/>" + Self.inside(nil), Self.features)
                }
                #expect(opening.child("fast", TestConnection.fast)?["count"] == "3")
                _ = try await grantSession(third)
            }
        }
    }

    @Test("a server that does not prove that it knows the token ends the bot, and the token stays until it is reset")
    func notGenuine() async throws {
        try await runs { server, configuration in
            try await run(configuration) { _ in try await byPassword(try await offer(server), granting: "token") }
            for isReset in [false, true] {
                if isReset { _ = reset(configuration) }
                try await BotUnderTest.running(configuration) { bot in
                    let connection = try await offer(server)
                    guard !isReset else {
                        try await byPassword(connection, granting: nil)
                        return
                    }
                    _ = try await connection.authenticateByToken(
                        BotConfiguration.account, "token", knowsToken: false
                    ) { _ in (Self.inside("theirs"), Self.features) }
                    #expect(try await bot.ending() == .loginRefused)
                    let said = try #require(bot.sink.lines.last { $0.event == "stop" })
                    #expect(said.message.contains("did not prove that it knows it"))
                    #expect(!connection.unread.contains { $0.contains("<iq") || $0.contains("<authenticate") })
                }
            }
        }
    }

    // MARK: What makes tokens void

    private func reset(_ configuration: Configuration) -> ControlAnswer? {
        let errand = Errand(configuration: configuration, program: "testbot", log: .silent)
        guard case .answered(let answer) = errand.run(.resetLogin) else { return nil }
        return answer
    }

    @Test("another password makes a token void, and it is not back with the old one")
    func passwordChange() async throws {
        try await runs { server, configuration in
            try await run(configuration) { _ in try await byPassword(try await offer(server), granting: "token") }
            var other = configuration
            other.account.password = Secret("another password")
            try await run(other) { _ in
                let connection = try await offer(server)
                #expect(try await connection.expect("authenticate", Self.sasl2)["mechanism"] == "SCRAM-SHA-256")
            }
            try await run(configuration) { _ in
                let connection = try await offer(server)
                #expect(try await byPassword(connection, granting: nil).0 == Self.exporter)
            }
        }
    }

    @Test("login reset forgets it, with the bot running or not", arguments: [true, false])
    func forgotten(isRunning: Bool) async throws {
        try await runs { server, configuration in
            try await run(configuration) { bot in
                let first = try await offer(server)
                let (_, wire) = try await byPassword(first, granting: "token")
                guard isRunning else { return }
                #expect(reset(configuration) == .resetLogin(after: "SCRAM-SHA-256"))
                try await wire.settle(bot)
                first.drop()
                let second = try await offer(server)
                let opening = try await second.authenticateBySASL2(BotConfiguration.account) { _ in
                    ("<resumed xmlns='\(Self.sm)' h='5' previd='s1'/>" + Self.inside(nil), "")
                }
                #expect(opening.child("request-token", TestConnection.fast) != nil)
                try await Wire(second).settle()
            }
            if !isRunning { #expect(reset(configuration) == .resetLogin(after: "SCRAM-SHA-256")) }
            try await run(configuration) { _ in
                let connection = try await offer(server)
                #expect(try await byPassword(connection, granting: nil).0 == Self.exporter)
            }
        }
    }

    @Test("switched off, no token is used or asked for; what there was stays")
    func off() async throws {
        try await runs { server, configuration in
            try await run(configuration) { _ in try await byPassword(try await offer(server), granting: "token") }
            var off = configuration
            off.account.connection.sasl2 = .off
            try await run(off) { _ in
                let connection = try await offer(server)
                #expect(try await connection.authenticate(BotConfiguration.account) == "SCRAM-SHA-256")
            }
            try await run(configuration) { _ in
                let connection = try await offer(server)
                #expect(try await byToken(connection, "token").0 == "1")
            }
        }
    }

    @Test("a server that lost the bound mechanism gets the password, and no token without a binding")
    func hidden() async throws {
        try await runs { server, configuration in
            try await run(configuration) { _ in try await byPassword(try await offer(server), granting: "token") }
            try await run(configuration) { _ in
                let connection = try await offer(server, ["HT-SHA-256-NONE", "HT-SHA-256-UNIQ"])
                #expect(try await byPassword(connection, granting: "unasked").0 == nil)
            }
            try await run(configuration) { _ in
                let connection = try await offer(server)
                #expect(try await byToken(connection, "token").0 == "2")
            }
        }
    }

    @Test("commands that log in by themselves neither show a token nor ask for one")
    func commands() async throws {
        try await runs { server, configuration in
            try await run(configuration) { _ in try await byPassword(try await offer(server), granting: "token") }
            let checking = Task.detached { OnlineCheck(configuration: configuration, log: .silent) { _ in }.run() }
            let connection = try await offer(server)
            let opening = try await connection.authenticateBySASL2(BotConfiguration.account) { _ in
                (Self.inside("unasked"), Self.features)
            }
            #expect(opening.child("request-token", TestConnection.fast) == nil)
            connection.drop()
            _ = await checking.value
            try await run(configuration) { _ in
                let connection = try await offer(server)
                #expect(try await byToken(connection, "token").0 == "1")
            }
        }
    }

    @Test("the journal holds the token for its owner alone, and what is said of the bot does not")
    func shown() async throws {
        try await runs { server, configuration in
            try await run(configuration) { bot in
                try await byPassword(try await offer(server), granting: "token-in-the-journal")
                let status = try await bot.ask { "\($0.report)" }
                #expect(!status.contains("token-in-the-journal"))
                let attributes = try FileManager.default.attributesOfItem(atPath: configuration.journal.path)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            }
        }
    }
}
