internal import Glibc

/// Small files, read and written whole.
package enum SystemFile {
    /// The file's bytes and the mode that it had when it was opened, so that no other file can be meant by the two.
    package static func read(_ path: String, limit: Int) -> Result<FileContents, FileTrouble> {
        // Variadic open(2) can not be called from Swift with a mode, and needs none here.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(trouble(errno)) }
        defer { close(descriptor) }
        return contents(of: descriptor, limit: limit)
    }

    /// All of standard input, or of another descriptor, whatever it is.
    package static func readStandardInput(
        _ descriptor: Int32 = STDIN_FILENO, limit: Int
    ) -> Result<FileContents, FileTrouble> {
        contents(of: descriptor, limit: limit, takesPipes: true)
    }

    /// The first line of standard input, or of another descriptor, with its newline; what follows is not waited for.
    package static func readFirstLine(
        _ descriptor: Int32 = STDIN_FILENO, limit: Int
    ) -> Result<[UInt8], FileTrouble> {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            // One by one: what is behind the line is somebody else's.
            let count = unsafe Glibc.read(descriptor, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return .failure(trouble(errno)) }
            if count == 0 { return .success(bytes) }
            bytes.append(byte)
            if byte == UInt8(ascii: "\n") { return .success(bytes) }
            if bytes.count > limit { return .failure(.tooLarge(limit)) }
        }
    }

    private static func contents(
        of descriptor: Int32, limit: Int, takesPipes: Bool = false
    ) -> Result<FileContents, FileTrouble> {
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0 else { return .failure(trouble(errno)) }
        // A pipe that nobody writes to would hang the program without a word.
        if !takesPipes, facts.st_mode & S_IFMT == S_IFIFO { return .failure(.other("it is a pipe and no file")) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return .failure(trouble(errno)) }
            if count == 0 { return .success(FileContents(bytes: bytes, mode: facts.st_mode & 0o7777)) }
            bytes += chunk[..<count]
            if bytes.count > limit { return .failure(.tooLarge(limit)) }
        }
    }

    /// Writes a file that was not there before, with mode 0600, and the folders above it with mode 0700; returns why it
    /// could not, in the words of the system.
    package static func create(_ path: String, _ bytes: [UInt8]) -> Result<Void, FileTrouble> {
        makeFolders(above: path)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return .failure(trouble(errno)) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return .failure(trouble(errno)) }
            rest = rest.dropFirst(count)
        }
        return fsync(descriptor) == 0 ? .success(()) : .failure(trouble(errno))
    }

    /// Puts a new file, with mode 0600, in the place of one that may be there; nobody ever finds half of it.
    package static func replace(_ path: String, _ bytes: [UInt8]) -> Result<Void, FileTrouble> {
        let draft = path + "." + String(UInt64.random(in: .min ... .max), radix: 36)
        if case .failure(let trouble) = create(draft, bytes) {
            _ = unsafe unlink(draft)
            return .failure(trouble)
        }
        guard unsafe rename(draft, path) == 0 else {
            let code = errno
            _ = unsafe unlink(draft)
            return .failure(trouble(code))
        }
        return syncFolder(of: path)
    }

    /// Writes a file that was not there before, all of it or nothing, safe against a power cut; with mode 0600, or with owner,
    /// group and mode of `model`.
    package static func createWhole(_ path: String, _ bytes: [UInt8], like model: String? = nil) -> Result<
        Void, FileTrouble
    > {
        let draft = path + "." + String(UInt64.random(in: .min ... .max), radix: 36)
        defer { _ = unsafe unlink(draft) }
        if case .failure(let trouble) = create(draft, bytes) { return .failure(trouble) }
        if let model {
            var facts = stat()
            guard unsafe stat(model, &facts) == 0 else { return .failure(trouble(errno)) }
            let isOurs = facts.st_uid == geteuid() && facts.st_gid == getegid()
            if !isOurs, unsafe chown(draft, facts.st_uid, facts.st_gid) != 0 { return .failure(trouble(errno)) }
            guard unsafe chmod(draft, facts.st_mode & 0o777) == 0 else { return .failure(trouble(errno)) }
        }
        // Unlike rename(2) it never takes the place of a file that is there.
        guard unsafe link(draft, path) == 0 else { return .failure(trouble(errno)) }
        return syncFolder(of: path)
    }

    /// Removes the drafts that `createWhole` of a process that was killed left beside a path.
    package static func removeDrafts(of path: String) {
        let folderName = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
        let prefix = (path.split(separator: "/").last ?? "") + "."
        guard let folder = unsafe opendir(folderName) else { return }
        defer { unsafe closedir(folder) }
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix(prefix) else { continue }
            let random = name.utf8.dropFirst(prefix.utf8.count)
            // Nearly all random numbers are as long as that, and what people append to a name is not.
            guard (11...13).contains(random.count), random.allSatisfy(isDraftLetter) else { continue }
            _ = unsafe unlink(folderName + name)
        }
    }

    private static func isDraftLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// Puts a file in the place of another.
    package static func move(_ path: String, to other: String) -> Result<Void, FileTrouble> {
        guard unsafe rename(path, other) == 0 else { return .failure(trouble(errno)) }
        return syncFolder(of: other)
    }

    package static func remove(_ path: String) -> Result<Void, FileTrouble> {
        guard unsafe unlink(path) == 0 else { return .failure(trouble(errno)) }
        return syncFolder(of: path)
    }

    /// A new name is in its folder, which has to reach the disk, too.
    private static func syncFolder(of path: String) -> Result<Void, FileTrouble> {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(trouble(errno)) }
        defer { close(descriptor) }
        return fsync(descriptor) == 0 ? .success(()) : .failure(trouble(errno))
    }

    /// What a symbolic link leads to; the path itself where it is no link, or one that leads nowhere.
    package static func target(of path: String) -> String {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK,
            let target = unsafe realpath(path, nil)
        else { return path }
        defer { unsafe free(target) }
        return unsafe String(cString: target)
    }

    /// Whether something of that name is there.
    package static func exists(_ path: String) -> Bool {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0
    }

    /// The permission bits of what the name leads to; nil when nothing is there.
    package static func mode(of path: String) -> UInt32? {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return nil }
        return facts.st_mode & 0o7777
    }

    /// Whether this process may write to a file, or make files in a folder.
    package static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

    /// Makes a new folder with mode 0700 inside another; nil when that cannot be.
    package static func makeTemporaryFolder(in folder: String, prefix: String) -> String? {
        for _ in 0..<16 {
            let path = folder + "/" + prefix + String(UInt64.random(in: .min ... .max), radix: 36)
            if unsafe mkdir(path, 0o700) == 0 { return path }
            guard errno == EEXIST else { return nil }
        }
        return nil
    }

    /// Removes a folder and the files in it; folders inside it stay.
    package static func removeFolder(_ path: String) {
        guard let folder = unsafe opendir(path) else { return }
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { _ = unsafe unlink(path + "/" + name) }
        }
        unsafe closedir(folder)
        _ = unsafe rmdir(path)
    }

    /// Makes the folders above a path with mode 0700, those that are not there.
    package static func makeFolders(above path: String) {
        for slash in path.indices.dropFirst() where path[slash] == "/" {
            // A folder that is there already is fine; any other failure shows when the file is opened.
            _ = unsafe mkdir(String(path[..<slash]), 0o700)
        }
    }

    private static func trouble(_ code: Int32) -> FileTrouble {
        code == ENOENT ? .notFound : .other(SystemReason.phrase(code))
    }
}
