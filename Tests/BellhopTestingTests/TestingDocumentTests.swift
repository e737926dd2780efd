import BellhopTesting
import Foundation
import Testing

@Suite("docs/testing.md")
struct TestingDocumentTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(fileURLWithPath: path, relativeTo: folder), encoding: .utf8)
    }

    @Test("its example is the suite that runs here, word for word")
    func example() throws {
        let document = try Self.text("../../docs/testing.md")
        #expect(document.contains("```swift\n" + (try Self.text("HelloTests.swift")) + "```\n"))
    }

    @Test("it names every fault, every point of a kill, every miscount and every option")
    func complete() throws {
        let document = try Self.text("../../docs/testing.md")
        let words =
            FaultPlan.passing.map { "\($0)".prefix { $0 != "(" }.description }
            + KillPoint.allCases.map { "\($0)" } + Miscount.allCases.map { "\($0)" }
        for word in words { #expect(document.contains("`.\(word)"), "\(word)") }
        for option in Mirror(reflecting: StageOptions()).children.compactMap(\.label) {
            #expect(document.contains("`\(option)`"), "\(option)")
        }
    }
}
