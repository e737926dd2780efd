internal import BellhopSQLite

/// Opening a journal's file: whose it is, how old it is, and whether it is sound, before anything in it is changed.
enum JournalFile {
    /// Files up to this many bytes are checked whole at start; of a larger one only the small tables and a sample.
    static let wholeCheckBytes: Int64 = 4 << 20

    /// Opens the file for its writer, brand new or brought up to date.
    static func openForWriting(
        _ path: String, schema: Schema, durability: JournalOptions.Durability
    ) throws(JournalError) -> Connection {
        let connection = try described(path) { () throws(DatabaseError) in
            let connection = try Connection(path, .create)
            // Only at start may the loop wait for somebody's lock.
            connection.setBusyTimeout(milliseconds: 2_000)
            // Until the file is known to be ours and sound, closing it must not change it.
            connection.keepLogOnClose(true)
            return connection
        }
        let version = try self.version(of: connection, schema: schema)
        if version == 0 {
            // The page size can only be chosen before the first table. While there is nothing to lose no journal is needed
            // either, and to make, sync and remove one takes longer than the rest of the start.
            try described(path) { () throws(DatabaseError) in
                try connection.execute("PRAGMA page_size = 4096")
                try connection.execute("PRAGMA journal_mode = MEMORY")
            }
        } else if let finding = try described(path, { () throws(DatabaseError) in try finding(in: connection) }) {
            throw .damaged(path: path, finding: finding)
        }
        try described(path) { () throws(DatabaseError) in try configure(connection, durability) }
        try upgrade(connection, from: version, schema: schema)
        connection.keepLogOnClose(false)
        connection.setBusyTimeout(milliseconds: 0)
        return connection
    }

    /// Opens the file for reading only, while its writer is at work, or not, or in a place that cannot be written.
    static func openForReading(
        _ path: String, schema: Schema, allowsOlder: Bool = false
    ) throws(JournalError) -> Connection {
        let connection = try described(path) { () throws(DatabaseError) in
            do throws(DatabaseError) {
                let connection = try Connection(path, .read)
                connection.setBusyTimeout(milliseconds: 2_000)
                _ = try connection.userVersion
                return connection
            } catch {
                guard canOnlyBeRead(error) else { throw error }
                // Without the right to make a `-shm` file, a database in WAL mode opens only as one that nobody writes.
                return try Connection(path, .readImmutable)
            }
        }
        let version = try self.version(of: connection, schema: schema)
        if version == 0 || (version < schema.version && !allowsOlder) {
            throw version == 0
                ? .notAJournal(path: path) : .older(path: path, found: version, known: schema.version)
        }
        return connection
    }

    /// The schema version of a file of ours; 0 for an empty one.
    private static func version(of connection: Connection, schema: Schema) throws(JournalError) -> Int64 {
        let path = connection.path
        let (mark, version, tables) = try described(path) { () throws(DatabaseError) in
            (
                try connection.applicationID, try connection.userVersion,
                try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
            )
        }
        if mark == 0, version == 0, tables == 0 { return 0 }
        guard mark == Schema.applicationID, version > 0 else { throw .notAJournal(path: path) }
        if version > schema.version { throw .newer(path: path, found: version, known: schema.version) }
        return version
    }

    /// What is wrong with the file, looked for without reading a large one whole; nil when nothing was found.
    ///
    /// Whole up to 4 MiB. Beyond that the small tables, and of the messages 64 rows spread evenly, each with the way to
    /// it through the tree; the newest rows are read at start anyway.
    static func finding(in connection: Connection) throws(DatabaseError) -> String? {
        try connection.execute("PRAGMA cell_size_check = 1")
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        let size = try connection.integer("PRAGMA page_size") ?? 0
        if pages * size <= wholeCheckBytes { return try quickCheck(connection, "") }
        for table in ["meta", "accounts", "requests", "people"] {
            if let finding = try quickCheck(connection, "(\(table))") { return finding }
        }
        let newest = try connection.integer("SELECT max(seq) FROM messages") ?? 0
        let probe = try connection.prepare("SELECT peer, length(body) FROM messages WHERE seq >= ? LIMIT 1")
        for part in 0..<Int64(64) {
            probe.bind(newest / 64 * part, at: 1)
            if try probe.step() { probe.reset() }
        }
        return nil
    }

    static func quickCheck(_ connection: Connection, _ scope: String = "") throws(DatabaseError) -> String? {
        let finding = try connection.text("PRAGMA quick_check\(scope)")
        return finding == "ok" ? nil : finding ?? "no answer"
    }

    private static func configure(
        _ connection: Connection, _ durability: JournalOptions.Durability
    ) throws(DatabaseError) {
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute("PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
        try connection.execute("PRAGMA cache_size = -1024")
        // Only what deletes or shortens a row pays for it.
        try connection.execute("PRAGMA secure_delete = ON")
        try connection.execute("PRAGMA temp_store = MEMORY")
        connection.watchLog()
    }

    private static func upgrade(_ connection: Connection, from version: Int64, schema: Schema) throws(JournalError) {
        guard version < schema.version else { return }
        var backup: String?
        do {
            if version > 0 {
                let path = "\(connection.path).before-v\(schema.version)"
                try connection.backUp(to: path)
                backup = path
            }
            try schema.migrate(connection, from: version)
        } catch {
            throw .migration(
                path: connection.path, from: version, to: schema.version, backup: backup,
                reason: error.message)
        }
    }

    /// Whether the file may be there and whole, and only the place keeps a writer or its `-shm` file out.
    private static func canOnlyBeRead(_ error: DatabaseError) -> Bool {
        switch error.kind {
        case .readOnly, .cannotOpen(_, .directoryNotWritable), .cannotOpen(_, .system): true
        case .cannotOpen, .notADatabase, .corrupt, .busy, .full, .inputOutput, .interrupted, .constraint, .other: false
        }
    }

    static func described<Result>(
        _ path: String, _ body: () throws(DatabaseError) -> Result
    ) throws(JournalError) -> Result {
        do {
            return try body()
        } catch {
            throw JournalError(error, path: path)
        }
    }
}
