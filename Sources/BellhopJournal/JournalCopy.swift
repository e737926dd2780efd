internal import BellhopSQLite

/// A copy of a journal that is being made: of one moment, read again before it gets its name, gone if anything fails.
struct JournalCopy {
    let file: String
    private(set) var contents: JournalContents

    /// Copies what the source holds now, and lets `adjust` change the copy.
    init(
        of source: String, beside target: String, schema: Schema = .current, while goesOn: () -> Bool = { true },
        adjust: (Connection) throws(DatabaseError) -> Void = { _ throws(DatabaseError) in }
    ) throws(CopyError) {
        let connection = try Self.reading { () throws(JournalError) in
            try JournalFile.openForReading(source, schema: schema, allowsOlder: true)
        }
        let file = "\(target).partial-\(MessageIdentifier.newTag())"
        self.file = file
        do throws(CopyError) {
            try Self.writing(target) { () throws(DatabaseError) in try DataFile.create(file) }
            let expected = try Self.copy(connection, to: file, goesOn)
            try Self.writing(target) { () throws(DatabaseError) in try Self.finish(file, adjust) }
            contents = try Self.reading { () throws(JournalError) in try JournalContents(of: file, schema: schema) }
            guard contents.messages == expected.messages, contents.version == expected.version else {
                throw .differs(
                    file: target, finding: "\(contents.messages) of \(expected.messages) messages arrived")
            }
        } catch {
            try? DataFile.remove(file)
            throw error
        }
    }

    /// Gives the copy its name.
    func place(at target: String, replacing: Bool) throws(CopyError) {
        do throws(DatabaseError) {
            if try DataFile.place(file, at: target, replacing: replacing) { return }
        } catch {
            try? DataFile.remove(file)
            throw .target(JournalError(error, path: target))
        }
        try? DataFile.remove(file)
        throw .exists(file: target)
    }

    private static func copy(
        _ connection: Connection, to file: String, _ goesOn: () -> Bool
    ) throws(CopyError) -> JournalContents {
        do throws(DatabaseError) {
            try connection.execute("BEGIN")
            let expected = try JournalContents(connection)
            try connection.backUp(to: file, while: goesOn)
            try connection.execute("COMMIT")
            return expected
        } catch {
            switch error.kind {
            case .interrupted: throw .givenUp
            case .full, .cannotOpen, .readOnly: throw .target(JournalError(error, path: file))
            case .notADatabase, .corrupt, .busy, .inputOutput, .constraint, .other:
                throw .source(JournalError(error, path: connection.path))
            }
        }
    }

    /// Makes one file of it, that needs no other beside it to be read.
    private static func finish(
        _ file: String, _ adjust: (Connection) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let copy = try Connection(file, .write)
        try copy.execute("PRAGMA journal_mode = DELETE")
        try copy.execute("PRAGMA secure_delete = ON")
        try adjust(copy)
    }

    static func reading<Result>(_ body: () throws(JournalError) -> Result) throws(CopyError) -> Result {
        do { return try body() } catch { throw .source(error) }
    }

    static func writing<Result>(
        _ target: String, _ body: () throws(DatabaseError) -> Result
    ) throws(CopyError) -> Result {
        do { return try body() } catch { throw .target(JournalError(error, path: target)) }
    }
}
