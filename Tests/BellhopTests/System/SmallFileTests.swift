import Bellhop
import Foundation
import Testing

@Suite("Small files")
struct SmallFileTests {
    private static func inFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "small-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test("a file is replaced as a whole, private, in folders that are made, and nothing is left beside it")
    func replace() throws {
        try Self.inFolder { folder in
            let path = folder + "/deep/er/note"
            try SmallFile.replace(path, with: "one")
            #expect(try SmallFile.read(path) == "one")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            try SmallFile.replace(path, with: "zwei ü\n")
            #expect(try SmallFile.read(path) == "zwei ü\n")
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/deep/er") == ["note"])
        }
    }

    @Test("what cannot be read or written is said, and leaves no draft")
    func troubles() throws {
        try Self.inFolder { folder in
            #expect(throws: SmallFile.Trouble.notFound) { try SmallFile.read(folder + "/none") }
            try SmallFile.replace(folder + "/file", with: "12345")
            #expect(throws: SmallFile.Trouble.tooLarge(4)) { try SmallFile.read(folder + "/file", limit: 4) }
            #expect(try SmallFile.read(folder + "/file", limit: 5) == "12345")
            #expect(throws: SmallFile.Trouble.refused("Is a directory")) { try SmallFile.read(folder) }
            #expect(throws: SmallFile.Trouble.refused("Not a directory")) {
                try SmallFile.replace(folder + "/file/x", with: "")
            }
            try FileManager.default.createDirectory(atPath: folder + "/taken", withIntermediateDirectories: false)
            #expect(throws: SmallFile.Trouble.refused("Is a directory")) {
                try SmallFile.replace(folder + "/taken", with: "")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["file", "taken"])
        }
    }

    @Test("bytes that are no text are repaired")
    func repaired() throws {
        try Self.inFolder { folder in
            try Data([0x61, 0xFF, 0x62]).write(to: URL(fileURLWithPath: folder + "/bytes"))
            #expect(try SmallFile.read(folder + "/bytes") == "a\u{FFFD}b")
        }
    }
}
