import Bellhop

/// The machine as the commands see it: files under a root folder, and the ways to ask for the rest. Tests bring recorded ones.
struct Machine: Sendable {
    /// What stands in front of each path; empty for the machine itself.
    var root: String
    /// The names in a folder.
    var names: @Sendable (String) -> [String]
    /// Runs a program for what it prints.
    var run: @Sendable (_ arguments: [String], _ timeLimit: Duration) async -> ProgramResult
    var space: @Sendable (_ path: String) -> FileSystemSpace?
    var reach: @Sendable (_ host: String, _ port: UInt16, _ limit: Duration) async -> Reachability
    /// Waits between two looks at what changes.
    var pause: @Sendable () async throws -> Void
    /// The time of day in UTC, like `2026-11-30 07:00`.
    var clock: @Sendable () -> String

    /// The text of a file; throws a sentence when it cannot be read.
    func read(_ path: String, limit: Int = 1_048_576) throws -> String {
        do throws(SmallFile.Trouble) {
            return try SmallFile.read(root + path, limit: limit)
        } catch {
            throw OpsFailure.unreadable(path, error)
        }
    }

    /// What a program of the system printed; throws a sentence when it failed.
    ///
    /// `accepts` says which exit codes are no failure.
    func output(
        of arguments: [String], within limit: Duration = .seconds(10), accepting accepts: Set<Int> = [0]
    ) async throws -> [String] {
        let result = await run(arguments, limit)
        if case .exited(let code) = result.outcome, accepts.contains(code) { return result.lines }
        throw OpsFailure.program(arguments.first ?? "", result, limit)
    }
}
