import BellhopSQLite
import Foundation
import Testing

@Suite("InstanceLock")
struct InstanceLockTests {
    private let scratch = Scratch()

    @Test("the second learns who the first is, and gets in when the first is gone")
    func second() throws {
        var first: InstanceLock? = try InstanceLock(path: scratch.file("lock"))
        #expect(throws: InstanceLockError.held(by: ProcessInfo.processInfo.processIdentifier)) {
            _ = try InstanceLock(path: scratch.file("lock"))
        }
        first = nil
        #expect(first == nil)
        _ = try InstanceLock(path: scratch.file("lock"))
    }

    @Test("a number that a killed process left behind keeps nobody out")
    func stale() throws {
        try "1\n".write(toFile: scratch.file("lock"), atomically: true, encoding: .utf8)
        _ = try InstanceLock(path: scratch.file("lock"))
    }

    @Test("a missing directory is named")
    func missing() {
        #expect(
            throws: InstanceLockError.cannotOpen(
                path: scratch.file("none/lock"), .directoryMissing(scratch.file("none")))
        ) { _ = try InstanceLock(path: scratch.file("none/lock")) }
    }
}
