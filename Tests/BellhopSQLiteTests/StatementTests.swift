import BellhopSQLite
import Testing

@Suite("Statement")
struct StatementTests {
    private let scratch = Scratch()

    private func opened() throws -> Connection {
        let connection = try Connection(scratch.file("a.db"), .create)
        try connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, a, b)")
        return connection
    }

    @Test(
        "text comes back byte for byte",
        arguments: ["", "O'Brien", "'); DROP TABLE t;--", "👩‍👩‍👧‍👦 e\u{301} שלום 密 𝒳", "a\u{0}b", "\u{FEFF}x\r\n"])
    func text(_ text: String) throws {
        let connection = try opened()
        let insert = try connection.prepare("INSERT INTO t (a) VALUES (?)")
        insert.bind(text, at: 1)
        try insert.run()
        let select = try connection.prepare("SELECT a FROM t")
        #expect(try select.step())
        #expect(select.text(0).map { Array($0.utf8) } == Array(text.utf8))
        #expect(select.byteCount(0) == text.utf8.count)
    }

    @Test("an integer that is bound again counts, whatever stood in its place meanwhile")
    func repeatedIntegers() throws {
        let connection = try opened()
        let insert = try connection.prepare("INSERT INTO t (a) VALUES (?)")
        let bytes = Array("text".utf8)
        insert.bind(5, at: 1)
        try insert.run()
        insert.bind(5, at: 1)
        try insert.run()
        try insert.run()
        insert.bind(5, at: 1)
        try insert.run()
        insert.bind(slice: Statement.Slice(start: 0, count: 4), at: 1)
        try insert.run(over: bytes.span)
        insert.bind(5, at: 1)
        try insert.run()
        insert.bind("word", at: 1)
        try insert.run()
        insert.bind(5, at: 1)
        try insert.run()
        let select = try connection.prepare("SELECT a FROM t ORDER BY n")
        var found: [String?] = []
        while try select.step() { found.append(select.text(0)) }
        #expect(found == ["5", "5", nil, "5", "text", "5", "word", "5"])
    }

    @Test("an empty text and an empty blob are no nulls")
    func empties() throws {
        let connection = try opened()
        let insert = try connection.prepare("INSERT INTO t (a, b) VALUES (?, ?)")
        insert.bind("", at: 1)
        insert.bind([UInt8](), at: 2)
        try insert.run()
        let select = try connection.prepare("SELECT typeof(a), typeof(b), b FROM t")
        #expect(try select.step())
        #expect(select.text(0) == "text")
        #expect(select.text(1) == "blob")
        #expect(select.blob(2) == [])
    }

    @Test("what is not bound anew is null, so that no run sees another's values")
    func forgotten() throws {
        let connection = try opened()
        let insert = try connection.prepare("INSERT INTO t (a, b) VALUES (?, ?)")
        let bytes = Array("first second".utf8)
        insert.bind(slice: Statement.Slice(start: 0, count: 5), at: 1)
        insert.bind(slice: Statement.Slice(start: 6, count: 6), at: 2)
        try insert.run(over: bytes.span)
        insert.bind(Int64(3), at: 2)
        try insert.run()
        try insert.run()
        let select = try connection.prepare("SELECT a, b FROM t ORDER BY n")
        var rows: [[String?]] = []
        while try select.step() { rows.append([select.text(0), select.text(1)]) }
        #expect(rows == [["first", "second"], [nil, "3"], [nil, nil]])
    }

    @Test(
        "a slice outside of the bytes is an error and no read beyond them",
        arguments: [(0, 6), (6, 0), (-1, 2), (2, -1), (Int.max, 1), (1, Int.max)])
    func outside(start: Int, count: Int) throws {
        let connection = try opened()
        let insert = try connection.prepare("INSERT INTO t (a) VALUES (?)")
        insert.bind(slice: Statement.Slice(start: start, count: count), at: 1)
        let bytes = Array("five!".utf8)
        #expect(throws: DatabaseError.self) { try insert.run(over: bytes.span) }
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
        // The statement is usable afterwards.
        insert.bind(slice: Statement.Slice(start: 0, count: 5), at: 1)
        try insert.run(over: bytes.span)
        #expect(try connection.text("SELECT a FROM t") == "five!")
    }

    @Test("a parameter that the statement does not have is an error", arguments: [0, 3, 64, 1000, -5])
    func range(index: Int) throws {
        let connection = try opened()
        let insert = try connection.prepare("INSERT INTO t (a, b) VALUES (?, ?)")
        insert.bind(Int64(1), at: index)
        #expect(throws: DatabaseError.self) { try insert.run() }
        insert.bind(slice: Statement.Slice(start: 0, count: 0), at: index)
        #expect(throws: DatabaseError.self) { try insert.run() }
        try insert.run()
        #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    }

    @Test("a broken rule names the rule and no value")
    func constraint() throws {
        let connection = try opened()
        let insert = try connection.prepare("INSERT INTO t (n, a) VALUES (?, ?)")
        insert.bind(Int64(1), at: 1)
        try insert.run()
        insert.bind(Int64(1), at: 1)
        insert.bind("a secret", at: 2)
        do throws(DatabaseError) {
            try insert.run()
            Issue.record("inserted twice")
        } catch {
            #expect(error.kind == .constraint)
            #expect(error.code == 1555)
            #expect(error.sql == "INSERT INTO t (n, a) VALUES (?, ?)")
            #expect(!"\(error)".contains("secret"))
        }
    }

    @Test("integers keep all their bits, and nulls are told from zero")
    func integers() throws {
        let connection = try opened()
        let insert = try connection.prepare("INSERT INTO t (a, b) VALUES (?, ?)")
        for value in [Int64.min, -1, 0, 1, Int64.max] {
            insert.bind(value, at: 1)
            insert.bind(nil as Int64?, at: 2)
            try insert.run()
        }
        let select = try connection.prepare("SELECT a, b FROM t ORDER BY n")
        var read: [Int64] = []
        while try select.step() {
            read.append(select.integer(0))
            #expect(select.optionalInteger(1) == nil)
        }
        #expect(read == [Int64.min, -1, 0, 1, Int64.max])
    }
}
