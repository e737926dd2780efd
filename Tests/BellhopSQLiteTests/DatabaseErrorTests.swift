import Testing

@testable import BellhopSQLite

@Suite("What SQLite's codes mean")
struct DatabaseErrorTests {
    @Test(
        "each code has its kind, and a file of shared memory that gets no room is a full disk",
        arguments: [
            (4874, .full), (13, .full), (10, .inputOutput), (10 | 3 << 8, .inputOutput), (5, .busy), (261, .busy),
            (8, .readOnly), (11, .corrupt), (26, .notADatabase), (1, .other),
        ] as [(Int32, DatabaseError.Kind)])
    func kinds(code: Int32, kind: DatabaseError.Kind) {
        #expect(DatabaseError(code: code, message: "words").kind == kind)
    }
}
