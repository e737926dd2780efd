import FoundationEssentials

/// A bot's configuration and files in a directory of their own.
package struct TestBot: Sendable {
    package let program: Product
    package let directory: String
    /// The bare JID.
    package let jid: String
    package let server: RealServer

    package var configuration: String { "\(directory)/bot.json" }
    package var journal: String { "\(directory)/bot.db" }
    package static let password = "pencil & paper"

    /// How a bot differs from the plain one, in the JSON of the configuration.
    package struct Settings: Sendable {
        package var name: String
        package var domain: String?
        package var password: String
        /// Members of `account` beside `jid`, `password`, `server` and `trust`, like `"allowPlain": true`.
        package var account: [String]
        /// Members of the configuration beside `account` and `journal`.
        package var members: [String]
        package var authority: String?
        /// The member `trust` of `account` as JSON, in place of the authority.
        package var trust: String?
        /// Where to connect, in place of the server itself.
        package var port: Int?
        /// Whether TLS comes first there.
        package var directTLS = false

        package init(
            name: String = "bot", domain: String? = nil, password: String = TestBot.password, account: [String] = [],
            members: [String] = [TestBot.acceptsEverybody], authority: String? = nil, port: Int? = nil
        ) {
            self.name = name
            self.domain = domain
            self.password = password
            self.account = account
            self.members = members
            self.authority = authority
            self.port = port
        }
    }

    package static let acceptsEverybody = #""subscriptions": {"rules": [{"match": "*", "action": "accept"}]}"#

    /// Answers are not split, however long.
    package static let sendsWhole = #""commands": {"output": {"characters": false}}"#

    /// Writes the configuration and runs the body; nothing is registered and nothing started.
    package static func configured<Result>(
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
    package static func registered<Result>(
        _ program: Product = .echobot, at server: RealServer, _ settings: Settings = Settings(),
        _ body: (TestBot) async throws -> Result
    ) async throws -> Result {
        try await configured(program, at: server, settings) { bot in
            let run = try await bot.register()
            guard run.end == .exited(0) else { throw TestBotFault(words: run.errors) }
            return try await body(bot)
        }
    }

    /// Writes the configuration anew.
    package func write(_ settings: Settings) throws {
        let account = [
            #""jid": "\#(jid)""#, #""password": "\#(settings.password)""#,
            #""server": {"host": "\#(server.host)", "port": \#(settings.port ?? server.port), "directTLS": \#(settings.directTLS)}"#,
            #""trust": \#(settings.trust ?? #"{"ca": "\#(settings.authority ?? server.authority)"}"#)"#,
            #""reconnect": {"spread": "0s"}"#,
        ]
        let members =
            ["\"account\": {\((account + settings.account).joined(separator: ", "))}"] + settings.members
            + [#""journal": {"path": "\#(journal)"}"#]
        let text = "{\n\(members.joined(separator: ",\n"))\n}\n"
        let url = URL(filePath: configuration)
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: configuration)
    }

    package func register() async throws -> CompletedRun {
        try await program.run(["register", "--config", configuration])
    }

    /// Runs the bot to its own end.
    package func run() async throws -> CompletedRun { try await program.run(["run", "--config", configuration]) }

    /// Runs the body with the bot running; it is killed, if it still runs, when the body is done.
    package func running<Result>(
        _ options: [String] = [], _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        try await program.running(["run", "--config", configuration] + options, body)
    }

    /// Likewise, once it is online.
    package func online<Result>(
        _ options: [String] = [], _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        try await running(options) { child in
            guard try await child.comesOnline() != nil else {
                throw TestBotFault(words: child.errors.lines.joined(separator: "\n"))
            }
            return try await body(child)
        }
    }
}

extension ChildProcess {
    /// The bot's line that says so, from the given place of its log on; nil when it ended before.
    package func comesOnline(from start: Int = 0) async throws -> String? {
        // A line about a break tells where it broke, like "while online: ...".
        try await errors.line(from: start) {
            ($0.contains(" login: ") || $0.contains(" online: ")) && !$0.contains(" offline: ")
        }
    }

    /// Returns when the bot, run with `-v`, has begun so many attempts to connect, counted from the given place of its log.
    package func attempts(_ count: Int, from start: Int = 0) async throws {
        var place = start
        for _ in 0..<count {
            guard try await errors.line(containing: " connect: ", from: place) != nil else {
                throw TestBotFault(words: errors.lines.joined(separator: "\n"))
            }
            let lines = errors.lines
            place = 1 + (lines.indices.dropFirst(place).first { lines[$0].contains(" connect: ") } ?? lines.count)
        }
    }
}

extension TestBot {
    /// Lets a `hold` command that waits for this file go on.
    package func open(_ gate: String) throws { try Data().write(to: URL(filePath: gate)) }
}

/// A bot that did not do what a test needs of it, with what it said.
package struct TestBotFault: Error, CustomStringConvertible {
    package var words: String

    package var description: String { words }
}
