internal import Bellhop
internal import BellhopBot

/// The configuration of the bot on a stage: what its author wrote, with the stage's account and journal.
struct StageConfiguration {
    static let local = "bot"
    static let password = "on stage"
    private static let file = "stage.json"

    let configuration: Configuration

    init(
        _ bot: Bot, _ options: StageOptions, folder: String, port: UInt16, authorities: String?
    ) throws(StageError) {
        let account = #"{"jid": "\#(Self.local)@\#(StageIdentity.domain)", "password": "\#(Self.password)"}"#
        var text = #"{"account": \#(account), "journal": {"path": "\#(folder)/journal.db"}"#
        let rest = options.configuration.drop(while: \.isWhitespace)
        guard rest.first == "{" else {
            throw .mistakes(["The stage's configuration must be a JSON object, like {\"admins\": []}."])
        }
        let members = rest.dropFirst()
        text += members.drop(while: \.isWhitespace).first == "}" ? "" : ", "
        text += members
        let loader = ConfigurationLoader(
            bot: "bot", surroundings: Files(text: text), declaration: bot.declaration, settings: bot.settingsReader)
        switch loader.load(file: Self.file) {
        case .failure(let report): throw .mistakes(report.lines)
        case .success(let loaded):
            var configuration = loaded.configuration
            configuration.account.server = Configuration.Server(host: "127.0.0.1", port: port)
            configuration.account.connection.authorities = authorities
            configuration.account.connection.encryption = authorities == nil ? .off : .required
            configuration.account.connection.ping.every = options.pingAfter
            configuration.account.connection.ping.timeout = options.pingTimeout
            // Nobody else comes back to this server.
            configuration.account.connection.reconnectSpread = .zero
            let mistakes = bot.problems(prefix: configuration.commands.prefix).map(\.description)
            guard mistakes.isEmpty else { throw .mistakes(mistakes) }
            self.configuration = configuration
        }
    }

    /// The process's own files and variables, and one file that is only in memory.
    private struct Files: Surroundings, Sendable {
        let text: String
        private let system = SystemSurroundings()

        init(text: String) { self.text = text }

        func variable(_ name: String) -> String? { system.variable(name) }

        func read(_ path: String, limit: Int) -> Result<FileContents, FileTrouble> {
            path == StageConfiguration.file
                ? .success(FileContents(bytes: Array(text.utf8), mode: 0o600)) : system.read(path, limit: limit)
        }

        func run(
            _ arguments: [String], timeLimit: Duration, sizeLimit: Int
        ) -> Result<[UInt8], ConfigurationProblem.CommandFailure> {
            system.run(arguments, timeLimit: timeLimit, sizeLimit: sizeLimit)
        }

        func trouble(withProgram name: String, along path: String) -> ProgramEnding.StartFailure? {
            system.trouble(withProgram: name, along: path)
        }
    }
}
