import FoundationEssentials

/// A bot's account on a server, with its configuration and its journal in a folder of its own.
struct BotAccount: Sendable {
    let server: RealServer
    let name: String
    let folder: String

    /// Registers `name` on the server in-band.
    init(_ name: String, on server: RealServer, in folder: String, settings: String = "") async throws {
        self.server = server
        self.name = name
        self.folder = "\(folder)/\(name)"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        try configure(settings)
        let run = try await Product.echobot.run(["register", "--config", configuration])
        guard run.end == .exited(0) else { throw BotAccountFault(words: run.errors) }
    }

    /// Writes the configuration; `settings` are further members of it.
    func configure(_ settings: String = "", password: String = "secret") throws {
        let text = """
            {"account": {"jid": "\(jid)", "password": "\(password)", "trust": {"ca": "\(server.authority)"},
              "server": {"host": "\(server.host)", "port": \(server.port)}, "reconnect": {"spread": "0s"}},
             "journal": {"path": "\(journal)"}\(settings.isEmpty ? "" : ", " + settings)}
            """
        guard
            FileManager.default.createFile(
                atPath: configuration, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw BotAccountFault(words: "cannot write \(configuration)") }
    }

    var jid: String { "\(name)@\(server.domain)" }
    var configuration: String { "\(folder)/bot.json" }
    var journal: String { "\(folder)/journal.db" }

    /// Runs one command to its end.
    func command(_ arguments: String..., input: String = "") async throws -> CompletedRun {
        try await Product.echobot.run(arguments + ["--config", configuration], input: input)
    }

    /// Runs the body beside the running bot, once it is online.
    func running<Result>(_ options: String..., body: (ChildProcess) async throws -> Result) async throws -> Result {
        try await Product.echobot.running(["run"] + options + ["--config", configuration]) { bot in
            guard try await bot.errors.line(containing: "login: Online") != nil else {
                throw BotAccountFault(words: try await bot.errors.everything())
            }
            return try await body(bot)
        }
    }
}

/// A bot that did not come up, with what it said.
struct BotAccountFault: Error, CustomStringConvertible {
    var words: String

    var description: String { words }
}
