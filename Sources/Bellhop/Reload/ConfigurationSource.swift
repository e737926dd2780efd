internal import BellhopBot
internal import BellhopDiagnostics

/// The configuration that a bot was started with, and how to read it again.
struct ConfigurationSource: Sendable {
    let loaded: LoadedConfiguration
    /// The level that the command line asks for, which goes before the configuration's.
    var level: LogLevel?
    /// Blocks, up to ten seconds where a program prints the password.
    let reread: @Sendable () -> Result<LoadedConfiguration, ConfigurationReport>

    init(
        loaded: LoadedConfiguration, level: LogLevel?,
        reread: @escaping @Sendable () -> Result<LoadedConfiguration, ConfigurationReport>
    ) {
        self.loaded = loaded
        self.level = level
        self.reread = reread
    }

    /// Reads the same file again, whatever else might be found by now.
    init(
        _ loaded: LoadedConfiguration, bot: String, declaration: BotDeclaration,
        surroundings: any Surroundings & Sendable, level: LogLevel?
    ) {
        self.loaded = loaded
        self.level = level
        let file: String? =
            switch loaded.origin {
            case .file(let path): path
            case .environment: nil
            }
        reread = {
            let loader = ConfigurationLoader(bot: bot, surroundings: surroundings, declaration: declaration)
            return file.map { loader.load(file: $0) } ?? loader.loadEnvironment()
        }
    }
}
