import Glibc

/// What the command `note` does to the world: a line of a file, which nothing takes back.
enum EffectFile {
    /// Beside the journal.
    static let name = "effects"

    /// Adds a line with one call, so that a kill leaves either the whole line or none.
    static func append(_ line: String, in folder: String) throws {
        let file = unsafe open("\(folder)/\(name)", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FixtureFault.file }
        defer { close(file) }
        let bytes = Array("\(line)\n".utf8)
        guard unsafe write(file, bytes, bytes.count) == bytes.count else { throw FixtureFault.file }
    }

    /// Long enough for a kill or a cut to fall into it now and then.
    static func pause() async throws {
        try await Task.sleep(for: .milliseconds(8))  // waits for a fact: a kill from outside, which may or may not come
    }
}
