import BellhopJournal
import BellhopXML

@testable import Bellhop
@testable import BellhopTestServer

/// What tests of stream management have in common: a server that offers it, and a bot that comes back.
protocol StreamStage {}

extension StreamStage {
    static var sm: String { TestConnection.streamManagement }

    /// A server that offers stream management, and a configuration for several runs with one journal.
    func runs(_ script: (TestServer, Configuration) async throws -> Void) async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                try await script(server, try BotConfiguration.standard(server, folder: folder))
            }
        }
    }

    /// Likewise, with one bot running.
    func running(
        _ standard: StandardBot = StandardBot(), configure: (inout Configuration) throws -> Void = { _ in },
        _ script: (TestServer, BotUnderTest) async throws -> Void
    ) async throws {
        try await runs { server, configuration in
            var configuration = configuration
            try configure(&configuration)
            try await BotUnderTest.running(configuration, standard) { try await script(server, $0) }
        }
    }

    /// A whole new session: bound, enabled, online. Four stanzas count: the roster's request, our presence, and two
    /// questions for features.
    func begin(_ connection: TestConnection, id: String = "s1", more: String = "resume='true' max='600'") async throws
        -> Wire
    {
        _ = try await connection.login(
            as: BotConfiguration.account, roster: OnlineBot.contacts, features: TestConnection.offersStreams)
        try await connection.enableStream(id: id, more: more)
        return Wire(connection)
    }

    /// The next connection, whose broken stream goes on with this count.
    func resumed(
        at server: TestServer, id: String = "s1", handled: Int
    ) async throws -> (resume: Element, wire: Wire) {
        let connection = try await server.connection()
        let resume = try await connection.expectResumption()
        connection.resumeStream(id: id, handled: handled)
        return (resume, Wire(connection))
    }

    func says(_ body: String, id: String, from sender: String = "alice@example.test/phone") -> String {
        OnlineBot.message(body, from: sender, id: id)
    }

    /// Ends the bot as far as that is possible without ending the process: no goodbye.
    func cutOff(_ bot: BotUnderTest) async throws {
        bot.stop()
        bot.stop()
        _ = try await bot.ending()
    }

    /// What became of the bot's own messages, in order.
    func fates(_ bot: BotUnderTest) throws -> [BellhopJournal.RowState] {
        try bot.rows().filter { $0.direction == .outgoing }.map(\.state)
    }
}
