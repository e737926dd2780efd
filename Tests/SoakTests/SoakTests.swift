import BellhopTransport
import Foundation
import Testing

/// A bot that lives through an hour of everything that can go wrong.
@Suite("A soak")
struct SoakTests {
    /// `BELLHOP_SOAK_SEEDS` names others, like `7` or `100-150`.
    static var seeds: [UInt64] {
        guard let wanted = ProcessInfo.processInfo.environment["BELLHOP_SOAK_SEEDS"] else { return [1, 2, 3] }
        return wanted.split(separator: ",").flatMap { part -> [UInt64] in
            let ends = part.split(separator: "-").compactMap { UInt64($0) }
            guard let first = ends.first, let last = ends.last, first <= last else { return [] }
            return Array(first...last)
        }
    }

    @Test("an hour of random faults breaks no rule", arguments: seeds)
    func hour(seed: UInt64) async throws {
        let (report, log) = try await Soak.inFolder { folder in
            let soak = Soak(seed: seed, folder: folder)
            return (try soak.run(), soak.faults)
        }
        print(report)
        #expect(
            report.breaches.isEmpty,
            "seed \(seed): \(report.breaches.joined(separator: "\n"))\nfaults: \(log.joined(separator: "; "))")
        // An hour in which nothing much happened proves nothing.
        #expect(report.said > 3_000 && report.faults > 60 && report.resumptions > 2 && report.lives > 2)
    }
}

extension Soak {
    /// Runs the body on a thread of its own, with a folder that is gone afterwards.
    static func inFolder<Outcome: Sendable>(_ body: @escaping @Sendable (String) throws -> Outcome) async throws
        -> Outcome
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "soak-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path
        return try await withCheckedThrowingContinuation { continuation in
            do {
                try LoopThread.start("soak") { continuation.resume(with: Result { try body(path) }) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}
