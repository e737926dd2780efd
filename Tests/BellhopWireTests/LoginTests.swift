import BellhopClient
import BellhopCrypto
import BellhopDiagnostics
import BellhopXML
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Logging in over the wire")
struct LoginTests {
    @Test("the stream is for the JID's domain, whatever host is connected to, and names nobody before TLS (C001)")
    func address() async throws {
        try await OnlineBot.running { online in
            #expect(online.login.headers.map { $0["to"] } == Array(repeating: "bots.example.test", count: 3))
            #expect(
                online.login.headers.map { $0["from"] } == [nil, BotConfiguration.account, BotConfiguration.account])
            #expect(online.login.bound == BotConfiguration.bound)
            #expect(try await online.stop() == .success)
            let line = try #require(online.bot.sink.lines.first { $0.event == "login" })
            #expect(line.fields.contains { $0.name == "tls" && $0.value == "TLS 1.3" })
            #expect(line.fields.contains { $0.name == "mechanism" && $0.value == "SCRAM-SHA-256" })
        }
    }

    @Test("a certificate for another name gets nothing, and both names are logged (C006)")
    func wrongName() async throws {
        let other = try TestIdentity(domain: "xmpp.host.test")
        try await TestServer.running(TestServerOptions(tls: other.server)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                configuration.account.connection.authorities = other.authorityFile
                try await BotUnderTest.running(configuration) { bot in
                    let connection = try await server.connection()
                    try await connection.open(
                        features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
                    await #expect(throws: TestServerFailure.self) { try await connection.secure() }
                    let line = try await bot.sink.expect("offline")
                    #expect(line.message.contains("bots.example.test") && line.message.contains("xmpp.host.test"))
                    #expect(connection.unread.allSatisfy { !$0.contains("auth") && !$0.contains("opsbot") })
                }
            }
        }
    }

    @Test("blanks between the features change nothing (C013)")
    func prettyFeatures() async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                try await BotUnderTest.running(try BotConfiguration.standard(server, folder: folder)) { bot in
                    let connection = try await server.connection()
                    try await connection.open(
                        features: "\n  <starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'>\n <required/>\n </starttls>\n"
                    )
                    try await connection.secure()
                    let mechanisms = ["SCRAM-SHA-256", "PLAIN"].map { "\n    <mechanism>\n \($0) </mechanism>" }
                    try await connection.open(
                        features: "\n  <mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>"
                            + mechanisms.joined() + "\n  </mechanisms>\n")
                    #expect(try await connection.authenticate(BotConfiguration.account) == "SCRAM-SHA-256")
                    try await connection.open(features: "\n <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>\n ")
                    _ = try await connection.bind(BotConfiguration.account)
                    try await connection.answer("query", "jabber:iq:roster")
                    try await bot.sink.expect("online")
                }
            }
        }
    }

    @Test("after the roster comes one available presence, and then the bare address is heard (C018)")
    func presence() async throws {
        try await OnlineBot.running { online in
            #expect(online.login.presence["type"] == nil)
            let priority = online.login.presence.child("priority", "jabber:client")?.text
            #expect(Int(priority ?? "0") ?? -1 >= 0)
            online.say("!ping", to: BotConfiguration.account)
            try await online.wire.expect(body: "pong")
            try await online.wire.settle(online.bot)
            #expect(online.wire.sent.count { $0.name == "presence" } == 0)
        }
    }

    @Test("a password may hold blanks, quotes and everything else (C142)")
    func oddPassword() async throws {
        let password = "a b#c\"'&<>$\\\u{FC}"
        try await OnlineBot.running { options in
            options.accounts = ["opsbot": password]
        } configure: { configuration in
            configuration.account.password = Secret(password)
        } script: { online in
            #expect(online.login.mechanism == "SCRAM-SHA-256")
        }
    }

    @Test(
        "no line shows the password, not even with every stanza in the log (C148)", arguments: ["PLAIN", "SCRAM-SHA-1"])
    func secrets(mechanism: String) async throws {
        let password = "s3cret-\(mechanism)"
        try await OnlineBot.running(level: .trace) { options in
            options.accounts = ["opsbot": password]
            options.mechanisms = [mechanism]
        } configure: { configuration in
            configuration.account.password = Secret(password)
            configuration.account.connection.allowsPlain = true
        } script: { online in
            #expect(online.login.mechanism == mechanism)
            let plain = Array("\0opsbot\0\(password)".utf8)
            let lines = online.bot.sink.text
            #expect(lines.contains { $0.contains("<auth") })
            for line in lines {
                #expect(!line.contains(password) && !line.contains(Base64.encode(plain)), "\(line)")
                #expect(!line.contains("<response") || !line.contains("biws"), "\(line)")
            }
        }
    }

    @Test("the server binds an address of another domain, and the bot takes it")
    func otherDomain() async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                try await BotUnderTest.running(try BotConfiguration.standard(server, folder: folder)) { bot in
                    let connection = try await server.connection()
                    let login = try await connection.login(as: "opsbot@host.example.test", bound: "r")
                    #expect(login.bound == "opsbot@host.example.test/r")
                    let wire = Wire(connection)
                    connection.send(OnlineBot.message("!ping", to: "opsbot@host.example.test/r"))
                    try await wire.expect(body: "pong")
                    #expect(try await bot.ask { $0.loop.boundJID?.description } == "opsbot@host.example.test/r")
                    // Its own messages are those of the address that it was given.
                    connection.send(OnlineBot.message("!ping", from: "opsbot@host.example.test/x"))
                    try await wire.settle(bot)
                    #expect(wire.messages.count == 1)
                }
            }
        }
    }
}
