internal import CBellhopProcess
internal import Glibc

/// A process that was just started, and our ends of its pipes.
struct ProcessStart {
    let session: ProcessSession
    let output: Pipe
    /// Nil where its errors go where ours go.
    let errors: Pipe?
    /// Nil where it reads nothing.
    let input: Pipe?

    /// Starts a program without a shell: the leader of a session of its own, without a terminal, with no descriptor but its
    /// three, no signal blocked or ignored.
    init(_ call: ProgramCall) throws(ProgramEnding.StartFailure) {
        let variables = call.environment.map { $0.map { "\($0.key)=\($0.value)" }.sorted() }
        let texts = call.arguments + (variables ?? []) + [call.folder ?? ""]
        if texts.contains(where: { $0.utf8.contains(0) }) { throw .nul }
        let path = call.environment == nil ? SystemSurroundings().variable("PATH") : call.environment?["PATH"]
        let found = ProgramSearch.find(call.arguments.first ?? "", along: path ?? ProgramSearch.standardPath)
        let program = try found.get()
        if let folder = call.folder, let reason = Self.obstacle(in: folder) {
            throw .folder(path: folder, reason: reason)
        }
        output = try Self.pipe()
        switch call.errors {
        case .collected: errors = try Self.pipe()
        case .inherited: errors = nil
        }
        input = call.input.isEmpty ? nil : try Self.pipe()
        session = ProcessSession(
            leader: try Self.spawn(
                program, call, variables, input: input?.reading, output: output.writing, errors: errors?.writing))
        output.closeWriting()
        errors?.closeWriting()
        input?.closeReading()
        for ours in [output.reading, errors?.reading, input?.writing] {
            if let ours { Pipe.unblock(ours) }
        }
    }

    private static func pipe() throws(ProgramEnding.StartFailure) -> Pipe {
        guard let pipe = Pipe() else { throw .system(reason: SystemReason.phrase(errno)) }
        return pipe
    }

    private static func obstacle(in folder: String) -> String? {
        var facts = stat()
        guard unsafe stat(folder, &facts) == 0 else { return SystemReason.phrase(errno) }
        guard facts.st_mode & S_IFMT == S_IFDIR else { return SystemReason.phrase(ENOTDIR) }
        return unsafe access(folder, X_OK) == 0 ? nil : SystemReason.phrase(errno)
    }

    private static func spawn(
        _ program: String, _ call: ProgramCall, _ variables: [String]?, input: Int32?, output: Int32, errors: Int32?
    ) throws(ProgramEnding.StartFailure) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        if let errors { unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2) }
        unsafe bellhop_spawn_close_from(&actions, 3)
        if let folder = call.folder { unsafe bellhop_spawn_folder(&actions, folder) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | Self.setsid
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var words: [UnsafeMutablePointer<CChar>?] = unsafe call.arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var environment: [UnsafeMutablePointer<CChar>?] =
            unsafe (variables ?? Self.inherited).map { unsafe strdup($0) } + [nil]
        defer { unsafe environment.forEach { unsafe free($0) } }
        var child = pid_t()
        let code = unsafe posix_spawn(&child, program, &actions, &attributes, &words, &environment)
        switch code {
        case 0: return child
        case ENOEXEC: throw .noProgram(path: program)
        // The file was there when it was looked for: what is missing is the interpreter that its first line names.
        case ENOENT: throw .noProgram(path: program)
        case EACCES: throw .notExecutable(path: program)
        default: throw .system(reason: SystemReason.phrase(code))
        }
    }

    /// POSIX_SPAWN_SETSID (spawn.h).
    private static let setsid: Int32 = 0x80

    /// Our own variables, as `NAME=value`.
    private static var inherited: [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let variable = unsafe next.pointee {
            unsafe variables.append(String(cString: variable))
            unsafe next += 1
        }
        return variables
    }
}
