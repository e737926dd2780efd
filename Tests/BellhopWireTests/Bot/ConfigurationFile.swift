import BellhopDiagnostics
import Synchronization

@testable import Bellhop
@testable import BellhopTestServer

/// A configuration file that a test rewrites while the bot runs.
final class ConfigurationFile: Sendable {
    private let account: String
    private let text: Mutex<String>
    private let readings = Mutex(0)

    /// The file of the standard bot for this server; `rest` is what stands behind the account, beginning with a comma.
    init(_ server: TestServer, folder: String, rest: String) throws {
        let authorities = try TestIdentity.shared.get().authorityFile
        account = """
            {"account": {"jid": "\(BotConfiguration.account)", "password": "secret", "resource": "main",
              "server": {"host": "127.0.0.1", "port": \(server.port)}, "trust": {"ca": "\(authorities)"}},
             "journal": {"path": "\(folder)/j.db"}
            """
        text = Mutex("")
        write(rest)
    }

    func write(_ rest: String) { text.withLock { $0 = account + rest + "}" } }

    /// Something that is no configuration at all.
    func write(wrong: String) { text.withLock { $0 = wrong } }

    /// How often it was read.
    var readingCount: Int { readings.withLock { $0 } }

    private func load() -> Result<LoadedConfiguration, ConfigurationReport> {
        readings.withLock { $0 += 1 }
        let file = Surroundings(text: text.withLock { $0 })
        return ConfigurationLoader(bot: "testbot", surroundings: file).load(file: "bot.json")
    }

    func source(level: LogLevel? = nil) throws -> ConfigurationSource {
        ConfigurationSource(loaded: try load().get(), level: level) { [self] in load() }
    }

    private struct Surroundings: Bellhop.Surroundings {
        let text: String

        func variable(_ name: String) -> String? { nil }
        func read(_ path: String, limit: Int) -> Result<FileContents, FileTrouble> {
            path == "bot.json"
                ? .success(FileContents(bytes: Array(text.utf8), mode: 0o600)) : SystemFile.read(path, limit: limit)
        }
        func run(
            _ arguments: [String], timeLimit: Duration, sizeLimit: Int
        ) -> Result<[UInt8], ConfigurationProblem.CommandFailure> { .failure(.notStarted(reason: "not in this test")) }
        func trouble(withProgram name: String, along path: String) -> ProgramEnding.StartFailure? { nil }
    }
}
