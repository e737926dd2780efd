import Bellhop
import Foundation
import Synchronization

@testable import opsbot

/// Files and answers of programs as they were on real machines.
enum Recorded {
    static let folder =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        .joined(separator: "/") + "/Recorded"

    /// The lines that a program printed.
    static func program(_ name: String) throws -> [String] {
        try String(contentsOfFile: "\(folder)/programs/\(name).txt", encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

/// Answers calls of programs, and remembers them.
final class RecordedPrograms: Sendable {
    private let answer: @Sendable ([String]) -> ProgramResult
    private let stored = Mutex<[[String]]>([])

    init(_ answer: @escaping @Sendable ([String]) -> ProgramResult) { self.answer = answer }

    /// A program of that name that prints what was recorded; all others are missing.
    convenience init(_ program: String, prints recording: String) throws {
        let lines = try Recorded.program(recording)
        self.init { $0.first == program ? ProgramResult(.exited(0), lines: lines) : ProgramResult(.missing) }
    }

    var calls: [[String]] { stored.withLock { $0 } }

    func run(_ arguments: [String]) -> ProgramResult {
        stored.withLock { $0.append(arguments) }
        return answer(arguments)
    }
}

extension Machine {
    /// A recorded machine: without programs and disks unless some are given.
    static func recorded(
        _ name: String = "server", programs: RecordedPrograms = RecordedPrograms { _ in ProgramResult(.missing) },
        spaces: [String: FileSystemSpace] = [:], reach: Reachability = .unreachable("nobody is there")
    ) -> Machine {
        Machine(
            root: "\(Recorded.folder)/\(name)",
            names: { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] },
            run: { arguments, _ in programs.run(arguments) }, space: { spaces[$0] }, reach: { _, _, _ in reach },
            pause: {}, clock: { "2026-11-30 07:00" })
    }
}

/// The sentence that a failing call tells the person; nil when it does not fail.
func sentence(_ body: () async throws -> Void) async -> String? {
    do {
        try await body()
        return nil
    } catch let failure as any UserFacingError {
        return failure.sentence
    } catch {
        return "not for people: \(error)"
    }
}
