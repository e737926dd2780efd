import Bellhop
import Foundation
import Testing

@Suite("A lock on a file")
struct FileLockTests {
    @Test("one has it at a time, a file that a killed process left is no lock, and none stays behind")
    func exclusive() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/password.lock"
            try Data().write(to: URL(filePath: path))
            let first = try FileLock(path: path)
            #expect(throws: FileLock.Fault.held) { try FileLock(path: path) }
            first.release()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            let second = try FileLock(path: path)
            // Whoever let go of it does not take away the next one's.
            first.release()
            #expect(throws: FileLock.Fault.held) { try FileLock(path: path) }
            second.release()
        }
    }

    @Test("where no file can be made, it is said why; a link is none")
    func trouble() throws {
        try TemporaryFolder.with { folder in
            #expect(throws: FileLock.Fault.trouble(.other("No such file or directory"))) {
                try FileLock(path: folder + "/none/lock")
            }
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/lock", withDestinationPath: folder + "/elsewhere")
            #expect(throws: FileLock.Fault.self) { try FileLock(path: folder + "/lock") }
        }
    }
}
