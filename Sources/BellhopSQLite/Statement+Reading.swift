internal import CBellhopSQLite

/// Columns of the row that `step` moved to; they count from 0.
extension Statement {
    package func isNull(_ column: Int) -> Bool {
        unsafe sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
    }

    /// The column as an integer; 0 when it is null.
    package func integer(_ column: Int) -> Int64 {
        unsafe sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }

    /// The column as an integer; nil when it is null.
    package func optionalInteger(_ column: Int) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    /// The column as text, bytes that are not UTF-8 replaced; nil when it is null.
    package func text(_ column: Int) -> String? {
        let number = Int32(truncatingIfNeeded: column)
        guard let start = unsafe sqlite3_column_text(handle, number) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(handle, number))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The column's bytes; nil when it is null.
    package func blob(_ column: Int) -> [UInt8]? {
        let number = Int32(truncatingIfNeeded: column)
        if isNull(column) { return nil }
        guard let start = unsafe sqlite3_column_blob(handle, number) else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, number))))
    }

    /// How many bytes the column has, without copying them.
    package func byteCount(_ column: Int) -> Int {
        Int(unsafe sqlite3_column_bytes(handle, Int32(truncatingIfNeeded: column)))
    }
}
