import Bellhop

/// Variables, files and programs as a test wants them.
struct FakeSurroundings: Surroundings {
    var variables: [String: String] = ["HOME": "/home/op"]
    var files: [String: FileContents] = [:]
    var programs: [String: Result<[UInt8], ConfigurationProblem.CommandFailure>] = [:]

    /// Programs that are not there.
    var missing: Set<String> = []

    func variable(_ name: String) -> String? { variables[name] }

    func read(_ path: String, limit: Int) -> Result<FileContents, FileTrouble> {
        guard let file = files[path] else { return .failure(.notFound) }
        return file.bytes.count > limit ? .failure(.tooLarge(limit)) : .success(file)
    }

    func run(
        _ arguments: [String], timeLimit: Duration, sizeLimit: Int
    ) -> Result<[UInt8], ConfigurationProblem.CommandFailure> {
        programs[arguments.joined(separator: " ")] ?? .failure(.notStarted(reason: "No such file or directory"))
    }

    func trouble(withProgram name: String, along path: String) -> ProgramEnding.StartFailure? {
        missing.contains(name) ? .notFound(program: name) : nil
    }

    /// The same with one more file.
    func having(_ path: String, _ text: String, mode: UInt32 = 0o600) -> FakeSurroundings {
        var copy = self
        copy.files[path] = FileContents(bytes: Array(text.utf8), mode: mode)
        return copy
    }

    /// Loads `bot.json` with that text.
    func load(_ text: String, mode: UInt32 = 0o600) -> Result<LoadedConfiguration, ConfigurationReport> {
        ConfigurationLoader(bot: "echobot", surroundings: having("bot.json", text, mode: mode)).load(file: "bot.json")
    }

    /// What `bot.json` with that text is complained about.
    func complaints(_ text: String, mode: UInt32 = 0o600) -> [String] {
        switch load(text, mode: mode) {
        case .success: []
        case .failure(let report): report.lines
        }
    }
}
