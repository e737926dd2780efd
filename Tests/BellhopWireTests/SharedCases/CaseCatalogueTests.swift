import Foundation
import Testing

@Suite("Catalogue of the shared cases")
struct CaseCatalogueTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("every input file belongs to a case that is played or waits")
    func files() {
        let played = CaseCatalogue.places.filter { if case .file = $0.value { true } else { false } }.keys.sorted()
        let waiting = CaseCatalogue.places.filter { if case .waits = $0.value { true } else { false } }.keys
        #expect(CaseFile.all.filter { !waiting.contains($0) } == played)
    }

    @Test("a case that another suite shows names a file of that suite")
    func elsewhere() {
        for case (let name, .elsewhere(let path)) in CaseCatalogue.places {
            let file = Self.tests.appendingPathComponent(path).path
            #expect(FileManager.default.fileExists(atPath: file), "\(name): \(path)")
        }
    }

    @Test("a case that is written as a test stands in the name of one")
    func here() throws {
        let folder = Self.tests.appendingPathComponent("BellhopWireTests")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix("Tests.swift")
        }
        let text = try files.map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }.joined()
        for case (let name, .here) in CaseCatalogue.places {
            #expect(text.contains("(\(name))") || text.contains("(\(name),") || text.contains(", \(name))"), "\(name)")
        }
    }

    @Test("what waits is known by name and number")
    func waiting() {
        let waiting = CaseCatalogue.places.compactMap { name, place in
            if case .waits(let capability) = place { "\(name) waits for \(capability.rawValue)" } else { String?.none }
        }
        #expect(waiting.count == 17, "\(waiting.sorted())")
        #expect(CaseCatalogue.places.count == 119)
    }
}
