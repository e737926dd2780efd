internal import Glibc

/// How full a file system is (statvfs(3)).
public struct FileSystemSpace: Sendable, Equatable {
    /// In bytes.
    public var size: UInt64
    /// In bytes, with what only root may use.
    public var free: UInt64
    /// In bytes, for everybody.
    public var available: UInt64
    /// How many files there can be; 0 where the file system does not say.
    public var files: UInt64
    /// How many more files there can be.
    public var freeFiles: UInt64

    public init(size: UInt64, free: UInt64, available: UInt64, files: UInt64 = 0, freeFiles: UInt64 = 0) {
        self.size = size
        self.free = free
        self.available = available
        self.files = files
        self.freeFiles = freeFiles
    }

    /// Asks the file system of a path; nil when it cannot be asked. A network file system whose server is gone blocks the thread.
    public init?(at path: String) {
        var facts = statvfs()
        guard unsafe statvfs(path, &facts) == 0 else { return nil }
        let unit = UInt64(facts.f_frsize)
        let bytes = { (blocks: UInt64) in
            let (product, overflow) = blocks.multipliedReportingOverflow(by: unit)
            return overflow ? UInt64.max : product
        }
        self.init(
            size: bytes(UInt64(facts.f_blocks)), free: bytes(UInt64(facts.f_bfree)),
            available: bytes(UInt64(facts.f_bavail)), files: UInt64(facts.f_files),
            freeFiles: UInt64(facts.f_ffree))
    }
}
