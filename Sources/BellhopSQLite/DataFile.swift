internal import Glibc

/// A database's file, or a copy of one, as the file system sees it; every file made here has mode 0600.
package enum DataFile {
    /// Makes an empty file of mode 0600 that was not there before.
    package static func create(_ path: String) throws(DatabaseError) {
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno) }
        close(descriptor)
    }

    /// Gives a finished file its name, in one step; false, and nothing was done, when that name is taken and stays.
    package static func place(_ finished: String, at path: String, replacing: Bool) throws(DatabaseError) -> Bool {
        if !replacing {
            if unsafe link(finished, path) == 0 {
                _ = unsafe unlink(finished)
                try synchronize(folderOf: path)
                return true
            }
            let reason = errno
            if reason == EEXIST { return false }
            // Some file systems have no second names; between this look and the renaming somebody may be faster.
            guard reason == EPERM || reason == ENOTSUP || reason == EMLINK else { throw failure(path, reason) }
            if exists(path) { return false }
        }
        guard unsafe rename(finished, path) == 0 else { throw failure(path, errno) }
        try synchronize(folderOf: path)
        return true
    }

    /// Makes a change of names safe against a power cut.
    private static func synchronize(folderOf path: String) throws(DatabaseError) {
        let descriptor = unsafe open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        // A file system that cannot do that says EINVAL, and there is nothing more to be had from it.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(path, errno) }
    }

    /// Removes a file; one that is not there is removed already.
    package static func remove(_ path: String) throws(DatabaseError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw failure(path, errno) }
    }

    /// Whether something of that name is there, a link that leads nowhere too.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// The size in bytes; 0 where nothing is there.
    package static func size(_ path: String) -> Int64 {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Whether both names lead to one file.
    package static func areOne(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        guard unsafe stat(first, &one) == 0, unsafe stat(second, &other) == 0 else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    /// The names in a folder, sorted.
    package static func names(in folder: String) throws(DatabaseError) -> [String] {
        guard let listing = unsafe opendir(folder) else { throw failure(folder + "/", errno) }
        defer { unsafe closedir(listing) }
        var names: [String] = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The path without links, so that a file has one name whichever way it is reached; as it is where nothing is there.
    package static func withoutLinks(_ path: String) -> String { DatabaseFile.withoutLinks(path) }

    /// The folder that holds `path`; `.` for a bare file name.
    package static func folder(of path: String) -> String { DatabaseFile.directory(of: path) }

    /// The last part of a path.
    package static func name(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    private static func failure(_ path: String, _ reason: Int32) -> DatabaseError {
        switch reason {
        case ENOSPC, EDQUOT: DatabaseError(kind: .full, code: 13, message: "no space is left")
        default: DatabaseError(path: path, fault: DatabaseFile.creationFault(path, reason))
        }
    }
}
