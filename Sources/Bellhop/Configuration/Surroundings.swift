/// What a configuration reads outside of itself: variables, files, programs.
package protocol Surroundings {
    /// The value of an environment variable; nil when it is not set.
    func variable(_ name: String) -> String?
    /// A file with its mode, or why it can't be read; more than `limit` bytes are an error.
    func read(_ path: String, limit: Int) -> Result<FileContents, FileTrouble>
    /// What a program prints, run without a shell and killed after `timeLimit`; more than `sizeLimit` bytes are an error.
    func run(
        _ arguments: [String], timeLimit: Duration, sizeLimit: Int
    ) -> Result<[UInt8], ConfigurationProblem.CommandFailure>

    /// Why a program could not be started; nil where nothing is known to be in its way.
    func trouble(withProgram name: String, along path: String) -> ProgramEnding.StartFailure?
}

/// A file as it was when it was opened.
package struct FileContents: Equatable, Sendable {
    package var bytes: [UInt8]
    /// The permission bits, like 0o600.
    package var mode: UInt32

    package init(bytes: [UInt8], mode: UInt32) {
        self.bytes = bytes
        self.mode = mode
    }

    /// Whether anybody but the owner may read or change it.
    package var isOpenToOthers: Bool { mode & 0o066 != 0 }
}

/// Why a file can't be read.
package enum FileTrouble: Error, Equatable, Sendable {
    case notFound
    case tooLarge(Int)
    /// In the words of the system, like `Permission denied`.
    case other(String)

    /// Continues "can't be read: ".
    package var phrase: String {
        switch self {
        case .notFound: "there is no such file"
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        case .other(let reason): reason
        }
    }
}
