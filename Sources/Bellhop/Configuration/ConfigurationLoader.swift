package import BellhopBot
internal import BellhopXMPP

/// Finds the configuration of a bot, reads it, and checks everything that can be checked without a network.
package struct ConfigurationLoader: Sendable {
    /// The most bytes of a password, wherever it comes from.
    static let secretLimit = 65_536
    /// How long a program may take to print a password.
    static let commandLimit: Duration = .seconds(10)

    /// The bot's name, like `echobot`, from which the standard files have theirs.
    let bot: String
    let surroundings: any Surroundings & Sendable

    /// Whether the password is read; who only reads the journal needs none, and may not have it at hand.
    let needsPassword: Bool
    /// Whether a password that is nowhere will be made: `Configuration.Account.passwordFile` says in which file.
    let makesPassword: Bool
    /// Whether the values of the programs' variables are read; `chat` runs programs without an account.
    let needsVariables: Bool

    /// What the configuration can refer to in the bot's code; nil leaves that unchecked, and the bot's own settings, too.
    let declaration: BotDeclaration?
    /// How the bot's own settings are read; nil for a bot that has none.
    let settings: SettingsReader?

    package init(
        bot: String, surroundings: any Surroundings & Sendable, needsPassword: Bool = true, makesPassword: Bool = false,
        needsVariables: Bool? = nil, declaration: BotDeclaration? = nil, settings: SettingsReader? = nil
    ) {
        self.bot = bot
        self.surroundings = surroundings
        self.needsPassword = needsPassword
        self.makesPassword = makesPassword
        self.needsVariables = needsVariables ?? needsPassword
        self.declaration = declaration
        self.settings = settings
    }

    /// Loads the file named, else the one that is found first, else what the environment says.
    package func load(file explicit: String?) -> Result<LoadedConfiguration, ConfigurationReport> {
        if let named = explicit ?? variable("BELLHOP_CONFIG") {
            return load(file: named, variable: explicit == nil ? "BELLHOP_CONFIG" : nil)
        }
        let candidates = StandardPaths(bot: bot, surroundings: surroundings).configurations
        for candidate in candidates {
            switch surroundings.read(candidate, limit: ConfigurationText.sizeLimit) {
            case .failure(.notFound): continue
            case .failure(let trouble): return unreadable(candidate, trouble, variable: nil)
            case .success(let contents): return read(contents, file: candidate)
            }
        }
        if EnvironmentKeys.isInUse(surroundings) { return loadEnvironment() }
        let problem = ConfigurationProblem(.noConfiguration(searched: candidates), path: "")
        return .failure(ConfigurationReport(file: nil, problems: [problem]))
    }

    private func load(file: String, variable: String?) -> Result<LoadedConfiguration, ConfigurationReport> {
        switch surroundings.read(file, limit: ConfigurationText.sizeLimit) {
        case .failure(let trouble): unreadable(file, trouble, variable: variable)
        case .success(let contents): read(contents, file: file)
        }
    }

    private func unreadable(
        _ file: String, _ trouble: FileTrouble, variable: String?
    ) -> Result<LoadedConfiguration, ConfigurationReport> {
        let problem = ConfigurationProblem(.unreadableFile(reason: trouble.phrase), path: "", variable: variable)
        return .failure(ConfigurationReport(file: file, problems: [problem]))
    }

    private func read(_ contents: FileContents, file: String) -> Result<LoadedConfiguration, ConfigurationReport> {
        let node: JSONNode
        do throws(JSONFault) {
            node = try ConfigurationText.read(contents.bytes)
        } catch {
            let problem = ConfigurationProblem(.syntax(error.kind), path: "", position: error.position)
            return .failure(
                ConfigurationReport(
                    file: file, problems: [problem],
                    journal: Self.mayNameJournal(contents.bytes)
                        ? nil : StandardPaths(bot: bot, surroundings: surroundings).journal))
        }
        var check = ConfigurationCheck(loader: self, origin: .file(file), fileMode: contents.mode)
        return check.run(node).mapError { report in
            ConfigurationReport(
                file: file, problems: report.problems, journal: report.journal, account: report.account)
        }
    }

    /// Whether a text that cannot be read may say where the journal is; one like those that `init` writes does not.
    private static func mayNameJournal(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self)?.lowercased() else { return true }
        return ["journal", "path", "\\u"].contains { text.contains($0) }
    }

    /// Reads the variables that stand for a file.
    func loadEnvironment() -> Result<LoadedConfiguration, ConfigurationReport> {
        var check = ConfigurationCheck(loader: self, origin: .environment, fileMode: 0)
        return check.run(EnvironmentKeys.node(surroundings)).mapError { report in
            let problems = report.problems.map { problem in
                var problem = problem
                problem.position = nil
                problem.variable = EnvironmentKeys.variable(of: problem.path)
                return problem
            }
            return ConfigurationReport(
                file: nil, problems: problems, journal: report.journal, account: report.account)
        }
    }

    private func variable(_ name: String) -> String? {
        surroundings.variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
