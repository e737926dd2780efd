internal import Foundation
internal import Synchronization

/// Folders that all tests of a run share, and that are gone when its process ends.
package enum RunFolder {
    private static let made = Mutex<[String]>([])

    /// Makes a new folder in the temporary directory; returns its path.
    package static func make(_ name: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/\(name)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let isFirst = made.withLock { made in
            made.append(path)
            return made.count == 1
        }
        // No test is the last that uses them, so none can remove them.
        if isFirst { atexit { RunFolder.removeAll() } }
        return path
    }

    private static func removeAll() {
        for path in made.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    }
}
