import BellhopXMPP
import Testing

@testable import BellhopJournal

@Suite("Journal, what logs in in place of the password")
struct TokenTests {
    private let records = TokenRecords(
        [
            TokenRecord(
                mechanism: "HT-SHA-256-EXPR", secret: "newest secret", count: 3,
                expiresAt: Timestamp(milliseconds: 9_000)),
            TokenRecord(mechanism: "HT-SHA-256-NONE", secret: "former secret", count: 0, expiresAt: nil),
        ], passwordDigest: "digest", salt: "salt")

    @Test("tokens survive a restart, in their order, and are there before the commit, too")
    func kept() throws {
        let stage = try JournalStage()
        #expect(try stage.journal.tokens(account: stage.account) == nil)
        stage.journal.keepTokens(records, account: stage.account)
        #expect(try stage.journal.tokens(account: stage.account) == records)
        stage.commit()
        #expect(try stage.journal.tokens(account: stage.account) == records)
        try stage.restart()
        #expect(try stage.journal.tokens(account: stage.account) == records)
    }

    @Test("what is kept takes the place of what was, and what is forgotten is gone from the file")
    func replaced() throws {
        let stage = try JournalStage()
        stage.journal.keepTokens(records, account: stage.account)
        stage.commit()
        var next = records
        next.tokens = [records.tokens[1]]
        stage.journal.keepTokens(next, account: stage.account)
        stage.commit()
        #expect(try stage.journal.tokens(account: stage.account) == next)
        stage.journal.keepTokens(nil, account: stage.account)
        #expect(try stage.journal.tokens(account: stage.account) == nil)
        stage.commit()
        try stage.restart()
        #expect(try stage.journal.tokens(account: stage.account) == nil)
        stage.journal.close(now: stage.now)
        #expect(stage.scratch.files(holding: "newest secret").isEmpty)
        #expect(stage.scratch.files(holding: "former secret").isEmpty)
    }

    @Test("tokens and the mechanism that was proven do not touch each other")
    func besideProof() throws {
        let stage = try JournalStage()
        let proof = LoginRecord(mechanism: "SCRAM-SHA-256", provedAt: Timestamp(milliseconds: 1_000))
        stage.journal.keepLogin(proof, account: stage.account)
        stage.journal.keepTokens(records, account: stage.account)
        stage.commit()
        stage.journal.keepTokens(nil, account: stage.account)
        stage.commit()
        #expect(try stage.journal.login(account: stage.account) == proof)
        stage.journal.keepTokens(records, account: stage.account)
        stage.journal.keepLogin(nil, account: stage.account)
        stage.commit()
        #expect(try stage.journal.tokens(account: stage.account) == records)
    }

    @Test("a backup holds no token, and the journal keeps its own")
    func backup() throws {
        let stage = try JournalStage()
        _ = try stage.row(stage.incoming("hello"))
        stage.journal.keepTokens(records, account: stage.account)
        stage.commit()
        try JournalBackup(journal: stage.scratch.file("j.db")).write(
            to: stage.scratch.file("copy.db"), replacing: false)
        #expect(!stage.scratch.files(holding: "hello").filter { $0.hasSuffix("copy.db") }.isEmpty)
        #expect(stage.scratch.files(holding: "newest secret").allSatisfy { !$0.contains("copy") })
        #expect(stage.scratch.files(holding: "former secret").allSatisfy { !$0.contains("copy") })
        #expect(try stage.journal.tokens(account: stage.account) == records)
    }

    @Test("the file is its owner's alone, and no token shows itself")
    func hidden() throws {
        let stage = try JournalStage()
        stage.journal.keepTokens(records, account: stage.account)
        stage.commit()
        #expect(stage.scratch.mode("j.db") == 0o600)
        var dumped = ""
        dump(records, to: &dumped)
        #expect(!dumped.contains("secret") && !"\(records)".contains("secret"))
    }
}
