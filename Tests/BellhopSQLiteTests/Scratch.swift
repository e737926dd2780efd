import Foundation

/// A directory that is gone when the test is.
final class Scratch {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "bellhop-sqlite-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func mode(_ name: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }
}
