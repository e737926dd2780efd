import Foundation
import Testing

@Suite("Servers made of made-up bytes")
struct MadeUpServerTests {
    @Test("sensible servers lead somewhere, and nothing is found", arguments: MadeUpServer.sensible)
    func sensible(bytes: [UInt8]) {
        #expect(MadeUpServer.finding(bytes) == nil)
        #expect(MadeUpServer.end(bytes) == "finished")
    }

    @Test("every stored input plays without a finding")
    func corpus() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Corpus/negotiation")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files { #expect(MadeUpServer.finding(Array(try Data(contentsOf: file))) == nil, "\(file.path)") }
    }

    @Test("so does a made-up one", arguments: 1...8 as ClosedRange<UInt64>)
    func madeUp(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1_500 {
            var bytes = MadeUpServer.sensible.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &random) { mutate(&bytes, &random) }
            #expect(MadeUpServer.finding(bytes) == nil, "\(bytes)")
        }
    }

    /// Pieces changed, taken out, put in or moved; the byte in front chooses another plan now and then.
    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        guard let index = bytes.indices.randomElement(using: &random) else { return }
        let piece =
            Bool.random(using: &random)
            ? UInt8.random(in: 0..<UInt8(MadeUpServer.pieces.count), using: &random)
            : 0xE0 + UInt8.random(in: 0..<UInt8(MadeUpServer.morePieces.count), using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: bytes[index] = piece
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(piece, at: index)
        case 3: bytes.insert(0xFB, at: index)
        case 4: bytes.swapAt(index, bytes.indices.randomElement(using: &random) ?? index)
        case 5: bytes[bytes.startIndex] = UInt8.random(in: 0..<128, using: &random)
        default: bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
    }

    @Test("what may never be done is found: a negotiation that is told of TLS too early talks in the clear")
    func isSeen() {
        #expect(MadeUpServer.finding(MadeUpServer.sensible[0], believesInTLS: true) != nil)
    }
}
