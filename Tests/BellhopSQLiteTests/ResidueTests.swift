import Testing

@testable import BellhopSQLite

@Suite("What deleted rows leave behind")
struct ResidueTests {
    private func filled(secure: Bool, _ scratch: Scratch) throws -> Connection {
        let connection = try Connection(scratch.file("r.db"), .create)
        try connection.execute(
            """
            PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA secure_delete = \(secure ? "ON" : "OFF");
            CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 500)
            INSERT INTO t SELECT n, printf('%0*d', 100 + n % 50 * 300, n) FROM c
            """)
        return connection
    }

    @Test("a file in which nothing was deleted has none, nor has one whose rows were deleted from end to end securely")
    func none() throws {
        let connection = try filled(secure: true, Scratch())
        _ = try connection.checkpoint(.truncate)
        #expect(try !connection.hasResidue())
        try connection.execute("DELETE FROM t")
        _ = try connection.checkpoint(.truncate)
        #expect(try !connection.hasResidue())
    }

    @Test(
        "what an insecure deletion leaves is found, in pages and in whole free pages",
        arguments: ["a % 7 = 0", "a > 250"])
    func some(condition: String) throws {
        let connection = try filled(secure: false, Scratch())
        try connection.execute("DELETE FROM t WHERE \(condition)")
        _ = try connection.checkpoint(.truncate)
        #expect(try connection.hasResidue())
        try connection.execute("PRAGMA secure_delete = ON; VACUUM")
        _ = try connection.checkpoint(.truncate)
        #expect(try !connection.hasResidue())
    }

    @Test("whatever bytes a page has, looking at it traps on nothing")
    func hostile() {
        var state: UInt64 = 7
        for _ in 0..<5_000 {
            var page = [UInt8](repeating: 0, count: 512)
            for _ in 0..<40 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                page[Int(state >> 33) % 512] = UInt8(truncatingIfNeeded: state >> 25)
            }
            page[0] = [0x0D, 0x05, 0x0A, 0x02][Int(state >> 40) % 4]
            _ = PageLayout(page, isFirst: false).isClean
            _ = PageLayout(page, isFirst: true).isClean
        }
        _ = PageLayout([], isFirst: true).isClean
        _ = PageLayout([0x0D], isFirst: false).isClean
    }

    @Test("a file gets its name in one step, and another's name is not taken")
    func places() throws {
        let scratch = Scratch()
        for name in ["one", "two"] { try DataFile.create(scratch.file(name)) }
        #expect(throws: DatabaseError.self) { try DataFile.create(scratch.file("one")) }
        #expect(try !DataFile.place(scratch.file("one"), at: scratch.file("two"), replacing: false))
        #expect(try DataFile.names(in: scratch.path) == ["one", "two"])
        #expect(try DataFile.place(scratch.file("one"), at: scratch.file("two"), replacing: true))
        #expect(try DataFile.place(scratch.file("two"), at: scratch.file("three"), replacing: false))
        #expect(try DataFile.names(in: scratch.path) == ["three"])
        #expect(DataFile.areOne(scratch.file("three"), scratch.path + "/./three"))
        try DataFile.remove(scratch.file("three"))
        try DataFile.remove(scratch.file("three"))
        #expect(DataFile.name(of: "/a/b") == "b" && DataFile.name(of: "b") == "b")
    }
}
