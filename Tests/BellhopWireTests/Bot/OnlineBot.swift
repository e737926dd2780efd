import BellhopBot
import BellhopDiagnostics

@testable import Bellhop
@testable import BellhopTestServer

/// A bot that is logged in to a test server over TLS, for one script.
struct OnlineBot {
    let server: TestServer
    let bot: BotUnderTest
    /// The bot's first connection.
    let wire: Wire
    let login: TestConnection.Login

    static let contacts = ["alice", "bob"].map { "<item jid='\($0)@example.test' subscription='both'/>" }

    /// Runs the script, and checks that the bot then says goodbye and ends well, unless the script has ended it.
    static func running(
        _ style: StandardBot.Style = .tasks, bot: Bot? = nil, roster: [String] = contacts, level: LogLevel = .debug,
        discovery: Discovery = Discovery(), server changeServer: (inout TestServerOptions) -> Void = { _ in },
        configure: (inout Configuration) throws -> Void = { _ in }, change: (inout BotRun) throws -> Void = { _ in },
        script: (OnlineBot) async throws -> Void
    ) async throws {
        var options = TestServerOptions(tls: try TestIdentity.shared.get().server)
        changeServer(&options)
        try await TestServer.running(options) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                try configure(&configuration)
                try await running(
                    configuration, server, style, bot: bot, roster: roster, level: level, discovery: discovery,
                    change: change, script: script)
            }
        }
    }

    /// The same on a server and a journal that are there already.
    static func running(
        _ configuration: Configuration, _ server: TestServer, _ style: StandardBot.Style = .tasks, bot: Bot? = nil,
        roster: [String] = contacts, level: LogLevel = .debug, discovery: Discovery = Discovery(),
        change: (inout BotRun) throws -> Void = { _ in }, script: (OnlineBot) async throws -> Void
    ) async throws {
        try await BotUnderTest.running(configuration, StandardBot(style), bot: bot, level: level, change: change) {
            bot in
            let connection = try await server.connection()
            let login = try await connection.login(
                as: BotConfiguration.account, roster: roster, discovery: discovery)
            try await script(OnlineBot(server: server, bot: bot, wire: Wire(connection), login: login))
        }
    }

    /// The bot's next connection, logged in.
    func reconnected(roster: [String] = contacts, discovery: Discovery = Discovery()) async throws -> Wire {
        let connection = try await server.connection()
        _ = try await connection.login(as: BotConfiguration.account, roster: roster, discovery: discovery)
        return Wire(connection)
    }

    /// Somebody says something to the bot.
    func say(
        _ body: String, from sender: String = "alice@example.test/phone", id: String? = nil, type: String = "chat",
        to: String = BotConfiguration.bound, over other: Wire? = nil
    ) {
        (other ?? wire).connection.send(Self.message(body, from: sender, id: id, type: type, to: to))
    }

    static func message(
        _ body: String, from sender: String = "alice@example.test/phone", id: String? = nil, type: String = "chat",
        to: String = BotConfiguration.bound
    ) -> String {
        let escaped = body.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        let id = id.map { " id='\($0)'" } ?? ""
        return "<message from='\(sender)' to='\(to)' type='\(type)'\(id)><body>\(escaped)</body></message>"
    }

    /// Lets the bot say goodbye, and reads its journal.
    func stop(over other: Wire? = nil) async throws -> ExitCode {
        bot.stop()
        try await (other ?? wire).answerGoodbye()
        return try await bot.ending()
    }
}
