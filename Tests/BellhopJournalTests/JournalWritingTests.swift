import BellhopSQLite
import BellhopXMPP
import Testing

@testable import BellhopJournal

@Suite("Journal, writing")
struct JournalWritingTests {
    @Test("a message and its answer are two rows, in and out, in this order (C122)")
    func pair() throws {
        let stage = try JournalStage()
        let row = try stage.row(stage.incoming("!ping", id: "a1"))
        stage.journal.mark(row, .handled)
        let reply = stage.queue(stage.outgoing("pong"), answers: row)
        #expect(stage.commit() == .committed)
        let rows = try stage.all()
        #expect(rows.map(\.direction) == [.incoming, .outgoing])
        #expect(rows.map(\.body) == ["!ping", "pong"])
        #expect(rows.map(\.peer) == ["alice@example.org", "alice@example.org"])
        #expect(rows.map(\.state) == [.handled, .queued])
        #expect(rows[1].answers == row)
        #expect(rows[1].id == reply.id)
        #expect(rows[1].row == reply.row)
    }

    @Test("nothing is in the file before the commit, and all of it after")
    func transaction() throws {
        let stage = try JournalStage()
        for number in 0..<5 { _ = stage.admit(stage.incoming("m\(number)", id: "\(number)")) }
        #expect(try stage.all().isEmpty)
        #expect(stage.commit() == .committed)
        #expect(try stage.all().count == 5)
        #expect(stage.journal.backlog.isEmpty)
    }

    @Test("every field comes back as it went in")
    func fields() throws {
        let stage = try JournalStage()
        var entry = stage.incoming(
            "body", from: "a@x.example", id: "i", originID: "o", archiveID: "s",
            sentAt: Timestamp(milliseconds: 77), payload: "<voice xmlns='urn:x' voiceTime='3'/>")
        entry.thread = "t"
        entry.kind = .normal
        let row = try stage.row(entry, at: 1_234)
        stage.journal.mark(row, .declined, reason: "not permitted")
        stage.commit()
        let stored = try #require(try stage.all().first)
        #expect(
            stored
                == StoredMessage(
                    row: row, account: stage.account, direction: .incoming, kind: .normal, state: .declined,
                    reason: "not permitted", peer: "a@x.example", resource: "phone", id: "i", originID: "o",
                    archiveID: "s", thread: "t", body: "body", payload: "<voice xmlns='urn:x' voiceTime='3'/>",
                    fullLength: nil, receivedAt: Timestamp(milliseconds: 1_234),
                    sentAt: Timestamp(milliseconds: 77), answers: nil, ordinal: 0))
        #expect(try stage.journal.message(row) == stored)
    }

    @Test(
        "bodies are stored byte for byte (C134, C136)",
        arguments: [
            "👩‍👩‍👧‍👦 é e\u{301} שלום 密 𝒳", "Robert'); DROP TABLE messages;--", "O'Brien", "100%_", "", "\r\n\n ",
            "\u{202E}rtl\u{202C}", "\u{A0}",
        ])
    func bytes(body: String) throws {
        let stage = try JournalStage()
        _ = stage.admit(stage.incoming(body, id: "1"))
        stage.commit()
        let stored = try #require(try stage.all().first)
        #expect(stored.body.map { Array($0.utf8) } == Array(body.utf8))
    }

    @Test("a long body is cut and its length kept; a long payload is left out (C065)")
    func limits() throws {
        var options = JournalOptions()
        options.bodyLimit = 10
        options.payloadLimit = 5
        let stage = try JournalStage(options)
        _ = stage.admit(stage.incoming("0123456789", id: "1", payload: "<a/>"))
        _ = stage.admit(stage.incoming("0123456789é", id: "2", payload: "<abc/>"))
        _ = stage.admit(stage.incoming("éééééééééé", id: "3"))
        stage.commit()
        let rows = try stage.all()
        #expect(rows.map(\.body) == ["0123456789", "0123456789", "éééééééééé"])
        #expect(rows.map(\.fullLength) == [nil, 11, nil])
        #expect(rows.map(\.payload) == ["<a/>", nil, nil])
    }

    @Test("twenty messages of one millisecond keep their order, after VACUUM and a restart too (C125)")
    func order() throws {
        let stage = try JournalStage()
        for number in 0..<20 {
            let row = try stage.row(stage.incoming("in \(number)", id: "\(number)"), at: 5)
            _ = stage.queue(stage.outgoing("out \(number)"), answers: row)
        }
        stage.commit()
        let before = try stage.all()
        #expect(before.map(\.body) == (0..<20).flatMap { ["in \($0)", "out \($0)"] })
        stage.journal.close(now: stage.now)
        try Connection(stage.scratch.file("j.db"), .write).execute("VACUUM")
        try stage.restart()
        #expect(try stage.all() == before)
        #expect(try stage.row(stage.incoming("later", id: "x")) > (try #require(before.last).row))
    }

    @Test("the order is that of processing, whatever the clock and the sender say (C126)")
    func clocks() throws {
        let stage = try JournalStage()
        _ = stage.admit(stage.incoming("now", id: "1"), at: 7_200_000)
        _ = stage.admit(stage.incoming("old", id: "2", sentAt: Timestamp(milliseconds: 5)), at: 7_200_001)
        _ = stage.admit(stage.incoming("clock went back", id: "3"), at: 3_600_000)
        stage.commit()
        let rows = try stage.reader.messages(with: "alice@example.org", last: 10)
        #expect(rows.map(\.body) == ["now", "old", "clock went back"])
        #expect(rows.map { $0.receivedAt.milliseconds } == [7_200_000, 7_200_001, 3_600_000])
        #expect(rows.map { $0.sentAt?.milliseconds } == [nil, 5, nil])
    }

    @Test("a state can change in the turn of its row, later, and after a restart")
    func marks() throws {
        let stage = try JournalStage()
        let first = try stage.row(stage.incoming("1", id: "1"))
        stage.journal.mark(first, .started)
        stage.commit()
        #expect(try stage.all().map(\.state) == [.started])
        stage.journal.mark(first, .handled)
        stage.commit()
        #expect(try stage.all().map(\.state) == [.handled])
        try stage.restart()
        stage.journal.mark(first, .failed, reason: "because")
        stage.journal.mark(.unstored, .failed, reason: "nothing")
        stage.commit()
        #expect(try stage.all().map(\.state) == [.failed])
        #expect(try stage.all().map(\.reason) == ["because"])
    }

    @Test("the view shows every kind and state in words")
    func view() throws {
        let stage = try JournalStage()
        for kind in RowKind.allCases {
            var entry = stage.incoming("x")
            entry.kind = kind
            _ = stage.admit(entry)
        }
        for state in RowState.allCases { _ = stage.admit(stage.incoming("y"), state: state) }
        stage.commit()
        let connection = try Connection(stage.scratch.file("j.db"), .read)
        let select = try connection.prepare("SELECT kind, state, received FROM log ORDER BY seq")
        var words: [String?] = []
        for kind in RowKind.allCases {
            #expect(try select.step())
            #expect(select.text(0) == "\(kind)")
        }
        for state in RowState.allCases {
            #expect(try select.step())
            words.append(select.text(1))
            #expect(words.last == "\(state)")
            #expect(select.text(2) == "1970-01-01T00:00:01.000Z")
        }
        #expect(Set(words).count == RowState.allCases.count)
    }
}
