import Bellhop
import Foundation
import Testing

@testable import opsbot

@Suite("oncall")
struct OnCallTests {
    private static func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "opsbot-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private static func perform(_ action: OnCallAction?, _ text: String, _ folder: String) throws -> String {
        try OnCallAction.perform(action, text, in: folder, by: "alice@example.org", at: "2026-11-30 07:00")
    }

    @Test("a note is kept as it was written, with who and when, until it is cleared")
    func note() async throws {
        try await Self.inFolder { folder async throws in
            #expect(try Self.perform(nil, "", folder) == "Nobody wrote down who is on call: oncall set TEXT")
            #expect(try Self.perform(.set, "Bob\n\n  until Monday ☎ 112\n", folder) == "Noted.")
            #expect(
                try Self.perform(nil, "", folder)
                    == "Bob\n\n  until Monday ☎ 112\n\n(alice@example.org, 2026-11-30 07:00 UTC)")
            #expect(try Self.perform(.set, "Carol", folder) == "Noted.")
            #expect(try Self.perform(nil, "", folder) == "Carol\n(alice@example.org, 2026-11-30 07:00 UTC)")
            #expect(try Self.perform(.clear, "", folder) == "The note is gone.")
            #expect(try Self.perform(nil, "", folder) == "Nobody wrote down who is on call: oncall set TEXT")
        }
    }

    @Test("nobody else may read the file, and no draft is left beside it")
    func mode() async throws {
        try await Self.inFolder { folder async throws in
            _ = try Self.perform(.set, "Bob", folder)
            _ = try Self.perform(.set, "Carol", folder)
            let path = OnCallNote.path(in: folder)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["oncall.txt"])
        }
    }

    @Test("what cannot be done is said")
    func refusals() async throws {
        try await Self.inFolder { folder async throws in
            let long = String(repeating: "ü", count: 1_001)
            try SmallFile.replace(folder + "/file", with: "")
            let sentences = [
                await sentence { _ = try Self.perform(.set, "", folder) },
                await sentence { _ = try Self.perform(.set, long, folder) },
                await sentence { _ = try Self.perform(.clear, "x", folder) },
                await sentence { _ = try Self.perform(.set, "x", folder + "/file") },
            ]
            #expect(
                sentences == [
                    "What should the note say? oncall set TEXT",
                    "The note is longer than 2000 bytes; please shorten it.",
                    "oncall clear takes no text; oncall set TEXT writes another note.",
                    "\(folder)/file/oncall.txt can't be written: Not a directory.",
                ])
            #expect(try Self.perform(nil, "", folder) == "Nobody wrote down who is on call: oncall set TEXT")
        }
    }

    @Test("a file that somebody else wrote is no note", arguments: ["", "x", "x\ny", "x\ny\n", "\n\n\n", "\n\n"])
    func strange(text: String) async throws {
        try await Self.inFolder { folder async throws in
            try SmallFile.replace(OnCallNote.path(in: folder), with: text)
            #expect(try OnCallNote.read(in: folder) == nil)
        }
    }

    @Test("a file that cannot be read is said")
    func unreadable() async throws {
        try await Self.inFolder { folder async throws in
            try SmallFile.replace(OnCallNote.path(in: folder), with: String(repeating: "x", count: 5_000))
            let said = await sentence { _ = try Self.perform(nil, "", folder) }
            #expect(said == "\(folder)/oncall.txt can't be read: it is larger than 4000 bytes.")
        }
    }
}
