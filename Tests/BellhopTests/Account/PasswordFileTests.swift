import BellhopDiagnostics
import Foundation
import Testing

@testable import Bellhop

@Suite("The file of the password")
struct PasswordFileTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("a password is made private, in folders that are made, and never over a file that is there")
    func make() throws {
        try TemporaryFolder.with { folder in
            let file = PasswordFile(path: folder + "/deep/password")
            #expect(file.candidates == [])
            try file.make(Secret("one")).get()
            #expect(try mode(file.path) == 0o600)
            #expect(file.candidates == [Secret("one")])
            #expect(throws: FileTrouble.other("File exists")) { try file.make(Secret("two")).get() }
            #expect(file.candidates == [Secret("one")])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/deep") == ["password"])
        }
    }

    @Test("a new password waits beside the old one, for the same readers, until it is adopted or withdrawn")
    func change() throws {
        try TemporaryFolder.with { folder in
            let file = PasswordFile(path: folder + "/password")
            try file.make(Secret("old")).get()
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
            #expect(file.pending == nil)
            try file.propose(Secret("new")).get()
            #expect(try mode(file.draft) == 0o640)
            #expect(file.pending == Secret("new") && file.candidates == [Secret("old"), Secret("new")])
            #expect(throws: FileTrouble.other("File exists")) { try file.propose(Secret("newer")).get() }
            try file.adopt().get()
            #expect(file.pending == nil && file.candidates == [Secret("new")])
            try file.propose(Secret("newest")).get()
            try file.withdraw().get()
            #expect(file.candidates == [Secret("new")])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["password"])
        }
    }

    @Test("where the file is a link, what it leads to is changed")
    func link() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder + "/real", withIntermediateDirectories: false)
            try PasswordFile(path: folder + "/real/secret").make(Secret("old")).get()
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/password", withDestinationPath: "real/secret")
            let file = PasswordFile(path: folder + "/password")
            try file.propose(Secret("new")).get()
            #expect(PasswordFile(path: folder + "/password").candidates == [Secret("old"), Secret("new")])
            try file.adopt().get()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/real") == ["secret"])
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/password") == "real/secret")
            #expect(PasswordFile(path: folder + "/real/secret").current == Secret("new"))
        }
    }

    @Test("where nothing can be written nothing is left")
    func trouble() throws {
        try TemporaryFolder.with { folder in
            try Data().write(to: URL(filePath: folder + "/file"))
            #expect(throws: FileTrouble.other("Not a directory")) {
                try PasswordFile(path: folder + "/file/x").make(Secret("a")).get()
            }
            #expect(throws: FileTrouble.notFound) {
                try PasswordFile(path: folder + "/none").propose(Secret("a")).get()
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
        }
    }

    @Test("a made password has 130 bits and needs no quoting anywhere")
    func maker() throws {
        let all = PasswordMaker.make { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 * 11 + 200) } }.reveal()
        #expect(all.count == 26)
        let seen = Set(
            (0..<256).map { byte in PasswordMaker.make { [UInt8](repeating: UInt8(byte), count: $0) }.reveal() })
        #expect(seen.count == 32)
        #expect(seen.joined().allSatisfy { ("a"..."z").contains($0) || ("2"..."9").contains($0) })
    }
}
