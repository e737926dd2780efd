import BellhopDiagnostics
import Foundation
import Testing

@testable import BellhopJournal

@Suite("A claim on a journal")
struct JournalClaimTests {
    private let scratch = Scratch()

    private func claim() -> JournalError? {
        do throws(JournalError) {
            try JournalClaim(journal: scratch.file("j.db")).release()
            return nil
        } catch { return error }
    }

    private func open() throws -> Journal {
        try Journal(path: scratch.file("j.db"), accounts: [JournalStage.own], log: .silent)
    }

    @Test("a journal that a bot has open cannot be claimed, and one that is claimed cannot be opened")
    func exclusive() throws {
        let path = scratch.file("j.db")
        let held = JournalError.alreadyRunning(path: path, pid: ProcessInfo.processInfo.processIdentifier)
        let journal = try open()
        #expect(claim() == held)
        #expect(JournalClaim.holder(journal: path) == ProcessInfo.processInfo.processIdentifier)
        journal.close(now: .zero)
        #expect(claim() == nil)
        #expect(JournalClaim.holder(journal: path) == nil)
        let kept = try JournalClaim(journal: path)
        #expect(throws: held) { try open() }
        kept.release()
        try open().close(now: .zero)
    }
}
