import FoundationEssentials

/// A directory for one test, gone afterwards.
package enum TemporaryDirectory {
    /// Runs the body with the path of a new, empty directory that only we can read.
    package static func with<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let path = "\(parent)/bellhop-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do {
            let result = try await body(path)
            try FileManager.default.removeItem(atPath: path)
            return result
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }
}
