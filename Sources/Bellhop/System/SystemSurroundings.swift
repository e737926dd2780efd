internal import Glibc

/// The process's own environment, files and programs.
package struct SystemSurroundings: Surroundings, Sendable {
    package init() {}

    package func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    package func read(_ path: String, limit: Int) -> Result<FileContents, FileTrouble> {
        SystemFile.read(path, limit: limit)
    }

    package func run(
        _ arguments: [String], timeLimit: Duration, sizeLimit: Int
    ) -> Result<[UInt8], ConfigurationProblem.CommandFailure> {
        ProgramBytes.output(of: arguments, timeLimit: timeLimit, sizeLimit: sizeLimit)
    }

    package func trouble(withProgram name: String, along path: String) -> ProgramEnding.StartFailure? {
        switch ProgramSearch.find(name, along: path) {
        case .success: nil
        case .failure(let failure): failure
        }
    }
}

/// What the system says about its last refusal, in its own words.
enum SystemReason {
    static func phrase(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
