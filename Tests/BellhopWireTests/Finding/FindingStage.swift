import BellhopCrypto
import BellhopDiagnostics
import BellhopTransport
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

/// A bot that is told nothing but its address and a name server, and the servers that its domain's records lead to.
struct FindingStage {
    let servers: [TestServer]
    let names: TestNameServer
    let bot: BotUnderTest

    static let domain = "bots.example.test"

    /// Servers for the domain with its certificate, with STARTTLS or with direct TLS.
    static func options(_ securities: ServerTarget.Security...) throws -> [TestServerOptions] {
        try securities.map { security in
            var options = TestServerOptions(tls: try TestIdentity.shared.get().server)
            options.isDirectTLS = security == .directTLS
            return options
        }
    }

    /// The records of servers that are tried in this order, each at a host of its own.
    static func zone(_ servers: [TestServer]) -> Zone {
        var zone = Zone()
        for (index, server) in servers.enumerated() {
            let host = "host\(index).example.test"
            zone.service(
                server.options.isDirectTLS ? "xmpps-client" : "xmpp-client", of: domain,
                priority: UInt16(clamping: index), port: server.port, target: host)
            zone.add(host, .address([127, 0, 0, 1]))
        }
        return zone
    }

    static func running(
        _ options: [TestServerOptions], zone: ([TestServer]) -> Zone = zone,
        configure: (inout Configuration) throws -> Void = { _ in }, change: (inout BotRun) throws -> Void = { _ in },
        script: (FindingStage) async throws -> Void
    ) async throws {
        try await running(options, []) { servers in
            try await TestNameServer.running(zone(servers)) { names in
                try await BotConfiguration.inFolder { folder in
                    var configuration = Configuration(
                        jid: try JID(BotConfiguration.account), password: BotConfiguration.password)
                    configuration.account.nameServer = .init(address: "127.0.0.1", port: names.port)
                    configuration.account.connection.resource = "main"
                    configuration.account.connection.reconnectSpread = .zero
                    configuration.account.connection.authorities = try TestIdentity.shared.get().authorityFile
                    configuration.journal.path = folder + "/j.db"
                    try configure(&configuration)
                    try await BotUnderTest.running(configuration, change: change) { bot in
                        try await script(FindingStage(servers: servers, names: names, bot: bot))
                    }
                }
            }
        }
    }

    private static func running(
        _ options: [TestServerOptions], _ running: [TestServer], _ body: ([TestServer]) async throws -> Void
    ) async throws {
        guard let first = options.first else { return try await body(running) }
        try await TestServer.running(first) { server in
            try await Self.running(Array(options.dropFirst()), running + [server], body)
        }
    }

    /// The bot gets in at this server, and says goodbye there; returns what it showed.
    @discardableResult
    func login(_ index: Int, as account: String = BotConfiguration.account) async throws -> TestConnection.Login {
        let connection = try await servers[index].connection()
        let login = try await connection.login(as: account)
        bot.stop()
        try await Wire(connection).answerGoodbye()
        #expect(try await bot.ending() == .success)
        return login
    }

    /// The targets that the bot left for the next one of the same round.
    var leftTargets: [String] {
        bot.sink.lines.compactMap { line in line.fields.first { $0.name == "left" }?.value }
    }

    /// What the bot, once online, warned of.
    var warnedOf: String? {
        bot.sink.lines.first { $0.message == "Online, but not every way to the server works" }?.fields.first?.value
    }
}
