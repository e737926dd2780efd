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

    private func waiting(_ make: (String) throws -> Void) throws -> PasswordFile.Waiting {
        try TemporaryFolder.with { folder in
            let file = PasswordFile(path: folder + "/password")
            try make(file.draft)
            return file.waiting
        }
    }

    @Test("what waits and can be no password is told from nothing, and why")
    func waiting() throws {
        func write(_ bytes: [UInt8]) throws -> PasswordFile.Waiting {
            try waiting { try Data(bytes).write(to: URL(filePath: $0)) }
        }
        #expect(try waiting { _ in } == .nothing)
        #expect(try write(Array("new\n".utf8)) == .password(Secret("new")))
        #expect(try write([]) == .unusable("it is empty"))
        #expect(try write([10]) == .unusable("it holds no text"))
        #expect(try write([255]) == .unusable("it holds no text"))
        for blanks in [" \n", " \t ", "\n\n", "\u{3000}"] {
            #expect(try write(Array(blanks.utf8)) == .unusable("it holds nothing but blanks"))
        }
        #expect(try write(Array("a\nb\n".utf8)) == .unusable("it holds more than one line"))
        #expect(try write([97, 7, 98]) == .unusable("it holds a character that no password may hold"))
        let limit = ConfigurationLoader.secretLimit
        let huge = try write([UInt8](repeating: 97, count: limit + 1))
        #expect(huge == .unusable("it is larger than \(limit) bytes"))
        let folder = try waiting {
            try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
        }
        #expect(folder == .unusable("Is a directory"))
        let link = try waiting { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/none") }
        #expect(link == .unusable("it leads nowhere"))
    }

    @Test("what is set aside waits no more, and takes the place of nothing")
    func setAside() throws {
        try TemporaryFolder.with { folder in
            let file = PasswordFile(path: folder + "/password")
            try file.make(Secret("old")).get()
            for (name, password) in [("/password.refused", "first"), ("/password.refused.2", "second")] {
                try file.propose(Secret(password)).get()
                #expect(file.setAside() == folder + name)
                #expect(file.waiting == .nothing)
                #expect(file.candidates == [Secret("old")])
            }
            for (name, password) in [("/password.refused", "first"), ("/password.refused.2", "second")] {
                let contents = try SystemFile.read(folder + name, limit: 100).get()
                #expect(contents.bytes == Array((password + "\n").utf8))
                #expect(contents.mode == 0o600)
            }
        }
    }

    @Test("what a killed process left is removed, and nothing that a person may have put there")
    func leftovers() throws {
        try TemporaryFolder.with { folder in
            let file = PasswordFile(path: folder + "/password")
            let kept = [
                "password", "password.new", "password.new.bak", "password.new.2026-11-30x", "other.new.abcdefghijkl",
            ]
            for name in kept + ["password.new.3w5e11264sgsf", "password.new.abcdefghijk"] {
                try Data("x".utf8).write(to: URL(filePath: folder + "/" + name))
            }
            file.tidy()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == kept.sorted())
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
