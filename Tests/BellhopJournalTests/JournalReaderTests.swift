import BellhopSQLite
import BellhopXMPP
import Testing

@testable import BellhopJournal

@Suite("JournalReader")
struct JournalReaderTests {
    @Test("conversations: whom, how many, when and what last, the latest first")
    func conversations() throws {
        let stage = try JournalStage()
        _ = stage.admit(stage.incoming("1", id: "1"), at: 10)
        _ = stage.admit(stage.incoming("2", from: "bob@example.org", id: "2"), at: 20)
        _ = stage.queue(stage.outgoing("3"))
        stage.commit()
        var list = try stage.reader.conversations()
        #expect(list.map(\.peer) == ["alice@example.org", "bob@example.org"])
        #expect(list.map(\.count) == [2, 1])
        #expect(list.map(\.last.body) == ["3", "2"])
        #expect(list.map(\.last.receivedAt.milliseconds) == [2_000, 20])
        #expect(list.first?.account == JournalStage.own)
        _ = stage.admit(stage.incoming("4", from: "bob@example.org", id: "4"))
        stage.commit()
        list = try stage.reader.conversations()
        #expect(list.map(\.peer) == ["bob@example.org", "alice@example.org"])
    }

    @Test("a conversation: the newest so many, oldest first, from a moment on")
    func messages() throws {
        let stage = try JournalStage()
        for number in 0..<20 {
            _ = stage.admit(stage.incoming("\(number)", id: "\(number)"), at: Int64(number) * 100)
            _ = stage.admit(stage.incoming("other", from: "bob@example.org"))
        }
        stage.commit()
        let reader = try stage.reader
        let peer = "alice@example.org"
        #expect(try reader.messages(with: peer, last: 3).map(\.body) == ["17", "18", "19"])
        #expect(try reader.messages(with: peer, last: 99, since: Timestamp(milliseconds: 1_850)).map(\.body) == ["19"])
        #expect(try reader.messages(with: peer, last: 0).isEmpty)
        #expect(try reader.messages(with: peer, last: -1).isEmpty)
        #expect(try reader.messages(with: "' OR 1=1 --", last: 9).isEmpty)
    }

    @Test("who follows sees each commit once, and knows without reading whether there was one")
    func follow() throws {
        let stage = try JournalStage()
        let reader = try stage.reader
        var seen = try reader.newest()
        #expect(seen == RowID(0))
        var version = try reader.version()
        for turn in 0..<3 {
            _ = stage.admit(stage.incoming("a\(turn)", id: "\(turn)"))
            _ = stage.admit(stage.incoming("b", from: "bob@example.org", id: "\(turn)"))
            stage.commit()
            let now = try reader.version()
            #expect(now != version)
            version = now
            let new = try reader.messages(after: seen, with: "alice@example.org", limit: 100)
            #expect(new.map(\.body) == ["a\(turn)"])
            seen = try reader.newest()
        }
        #expect(try reader.version() == version)
    }

    @Test("a reader changes nothing, and finds all that a killed writer committed")
    func afterKill() throws {
        let stage = try JournalStage()
        _ = stage.admit(stage.incoming("kept", id: "1"))
        stage.commit()
        try stage.scratch.copy("j.db", to: "killed.db")
        let before = stage.scratch.bytes("killed.db")
        let log = stage.scratch.bytes("killed.db-wal")
        do {
            let reader = try JournalReader(path: stage.scratch.file("killed.db"))
            #expect(try reader.messages(after: RowID(0), limit: 9).map(\.body) == ["kept"])
        }
        #expect(stage.scratch.bytes("killed.db") == before)
        #expect(stage.scratch.bytes("killed.db-wal") == log)
    }

    @Test("a backup of a journal at work is a journal")
    func backup() throws {
        let stage = try JournalStage()
        _ = stage.admit(stage.incoming("kept", id: "1"))
        stage.commit()
        try stage.reader.backUp(to: stage.scratch.file("copy.db"))
        let copy = try JournalReader(path: stage.scratch.file("copy.db"))
        #expect(try copy.messages(after: RowID(0), limit: 9).map(\.body) == ["kept"])
        #expect(try copy.check().isEmpty)
        #expect(stage.scratch.mode("copy.db") == 0o600)
    }

    @Test("a journal in use can be read while its writer keeps everything locked for a moment")
    func writing() throws {
        let stage = try JournalStage()
        _ = stage.admit(stage.incoming("before", id: "1"))
        stage.commit()
        try stage.journal.connection.execute("BEGIN IMMEDIATE")
        #expect(try stage.all().map(\.body) == ["before"])
        stage.journal.connection.rollBack()
    }
}
