internal import Glibc

/// Finds programs as execvp(3) does, but says what is wrong with the one that it does not take.
package enum ProgramSearch {
    /// Where programs are looked for when `PATH` is not set.
    package static let standardPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    /// The file of a program: `name` itself where it holds a slash, else the first that fits in a folder of `path`. Folders
    /// that are relative or empty are left out, so that the working directory decides nothing.
    package static func find(
        _ name: String, along path: String
    ) -> Result<String, ProgramEnding.StartFailure> {
        if name.utf8.contains(0) || path.utf8.contains(0) { return .failure(.nul) }
        if name.contains("/") { return judge(name).map { .failure($0) } ?? .success(name) }
        var nearest = ProgramEnding.StartFailure.notFound(program: name)
        guard !name.isEmpty else { return .failure(nearest) }
        for folder in path.split(separator: ":") where folder.hasPrefix("/") {
            let candidate = folder + "/" + name
            switch judge(String(candidate)) {
            case nil: return .success(String(candidate))
            case .notExecutable(let path)?: nearest = .notExecutable(path: path)
            case .notFound, .isFolder, .noProgram, .folder, .nul, .system: continue
            }
        }
        return .failure(nearest)
    }

    private static func judge(_ path: String) -> ProgramEnding.StartFailure? {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else {
            return errno == EACCES ? .notExecutable(path: path) : .notFound(program: path)
        }
        if facts.st_mode & S_IFMT == S_IFDIR { return .isFolder(path: path) }
        return unsafe access(path, X_OK) == 0 ? nil : .notExecutable(path: path)
    }
}
