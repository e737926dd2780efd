import FoundationEssentials
import Testing

/// A bot's configuration and files in a directory of their own.
struct TestBot: Sendable {
    let program: Product
    let directory: String
    /// The bare JID.
    let jid: String
    let server: RealServer

    var configuration: String { "\(directory)/bot.json" }
    var journal: String { "\(directory)/bot.db" }
    static let password = "pencil & paper"

    /// How a bot differs from the plain one, in the JSON of the configuration.
    struct Settings: Sendable {
        var name = "bot"
        var domain: String?
        var password = TestBot.password
        /// Members of `account` beside `jid`, `password`, `server` and `trust`, like `"allowPlain": true`.
        var account: [String] = []
        /// Members of the configuration beside `account` and `journal`.
        var members: [String] = [TestBot.acceptsEverybody]
        var authority: String?
        /// Where to connect, in place of the server itself.
        var port: Int?
    }

    static let acceptsEverybody = #""subscriptions": {"rules": [{"match": "*", "action": "accept"}]}"#

    /// Answers are not split, however long.
    static let sendsWhole = #""commands": {"output": {"characters": false}}"#

    /// Writes the configuration and runs the body; nothing is registered and nothing started.
    static func configured<Result>(
        _ program: Product = .echobot, at server: RealServer, _ settings: Settings = Settings(),
        _ body: (TestBot) async throws -> Result
    ) async throws -> Result {
        try await TemporaryDirectory.with { directory in
            let bot = TestBot(
                program: program, directory: directory, jid: "\(settings.name)@\(settings.domain ?? server.domain)",
                server: server)
            try bot.write(settings)
            return try await body(bot)
        }
    }

    /// Likewise, with the account registered by the program itself.
    static func registered<Result>(
        _ program: Product = .echobot, at server: RealServer, _ settings: Settings = Settings(),
        _ body: (TestBot) async throws -> Result
    ) async throws -> Result {
        try await configured(program, at: server, settings) { bot in
            let run = try await bot.register()
            #expect(run.end == .exited(0), "\(run.errors)")
            return try await body(bot)
        }
    }

    /// Writes the configuration anew.
    func write(_ settings: Settings) throws {
        let account = [
            #""jid": "\#(jid)""#, #""password": "\#(settings.password)""#,
            #""server": {"host": "\#(server.host)", "port": \#(settings.port ?? server.port)}"#,
            #""trust": {"ca": "\#(settings.authority ?? server.authority)"}"#, #""reconnect": {"spread": "0s"}"#,
        ]
        let members =
            ["\"account\": {\((account + settings.account).joined(separator: ", "))}"] + settings.members
            + [#""journal": {"path": "\#(journal)"}"#]
        let text = "{\n\(members.joined(separator: ",\n"))\n}\n"
        let url = URL(filePath: configuration)
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: configuration)
    }

    func register() async throws -> CompletedRun { try await program.run(["register", "--config", configuration]) }

    /// Runs the bot to its own end.
    func run() async throws -> CompletedRun { try await program.run(["run", "--config", configuration]) }

    /// Runs the body with the bot running; it is killed, if it still runs, when the body is done.
    func running<Result>(
        _ options: [String] = [], _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        try await program.running(["run", "--config", configuration] + options, body)
    }

    /// Likewise, once it is online.
    func online<Result>(
        _ options: [String] = [], _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        try await running(options) { child in
            try #require(try await child.comesOnline() != nil, "\(child.errors.lines)")
            return try await body(child)
        }
    }
}

extension ChildProcess {
    /// The bot's line that says so, from the given place of its log on; nil when it ended before.
    func comesOnline(from start: Int = 0) async throws -> String? {
        // A line about a break tells where it broke, like "while online: ...".
        try await errors.line(from: start) {
            ($0.contains(" login: ") || $0.contains(" online: ")) && !$0.contains(" offline: ")
        }
    }

    /// Returns when the bot, run with `-v`, has begun so many attempts to connect, counted from the given place of its log.
    func attempts(_ count: Int, from start: Int = 0) async throws {
        var place = start
        for _ in 0..<count {
            _ = try #require(try await errors.line(containing: " connect: ", from: place), "\(errors.lines)")
            let lines = errors.lines
            place = 1 + (lines.indices.dropFirst(place).first { lines[$0].contains(" connect: ") } ?? lines.count)
        }
    }
}

extension TestBot {
    /// Lets a `hold` command that waits for this file go on.
    func open(_ gate: String) throws { try Data().write(to: URL(filePath: gate)) }
}
