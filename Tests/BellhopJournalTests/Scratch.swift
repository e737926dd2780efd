import Foundation

/// A directory that is gone when the test is.
final class Scratch {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "bellhop-journal-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func mode(_ name: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }
}

extension Scratch {
    func bytes(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: file(name)).map { [UInt8]($0) } ?? []
    }

    func write(_ bytes: [UInt8], _ name: String) {
        _ = FileManager.default.createFile(atPath: file(name), contents: Data(bytes))
    }

    func copy(_ name: String, to copy: String) throws {
        for part in ["", "-wal"] where FileManager.default.fileExists(atPath: file(name + part)) {
            try FileManager.default.copyItem(atPath: file(name + part), toPath: file(copy + part))
        }
    }
}
