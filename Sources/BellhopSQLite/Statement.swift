internal import CBellhopSQLite

/// A prepared statement.
///
/// A parameter that was not bound since the last run is null: a run forgets all bindings. That is what makes binding
/// without a copy safe, and what a row with many nulls costs nothing.
@safe package final class Statement {
    let handle: OpaquePointer
    private let connection: Connection
    private let parameters: Int
    private let bindings: UnsafeMutablePointer<Bindings>
    private let slices: UnsafeMutablePointer<Slice>
    /// The last integer of each parameter: most are the same row after row, and need not be bound again.
    private let integers: UnsafeMutablePointer<Int64>

    /// A piece of the bytes that `run(over:)` is given, bound without copying.
    package struct Slice: Equatable, Sendable {
        package var start: Int
        package var count: Int

        package init(start: Int, count: Int) {
            self.start = start
            self.count = count
        }
    }

    private struct Bindings {
        /// Parameters that hold a value in SQLite, one bit each.
        var held: UInt64 = 0
        /// Parameters bound since the last run.
        var fresh: UInt64 = 0
        /// Those of them that are slices, not yet handed to SQLite.
        var sliced: UInt64 = 0
        /// Parameters that hold the integer in `integers`.
        var integers: UInt64 = 0
        var failure: Int32 = SQLITE_OK
    }

    init(_ handle: OpaquePointer, on connection: Connection) {
        unsafe self.handle = handle
        self.connection = connection
        parameters = min(Int(unsafe sqlite3_bind_parameter_count(handle)), 63)
        unsafe bindings = .allocate(capacity: 1)
        unsafe bindings.initialize(to: Bindings())
        unsafe slices = .allocate(capacity: parameters + 1)
        unsafe slices.initialize(repeating: Slice(start: 0, count: 0), count: parameters + 1)
        unsafe integers = .allocate(capacity: parameters + 1)
        unsafe integers.initialize(repeating: 0, count: parameters + 1)
    }

    deinit {
        unsafe sqlite3_finalize(handle)
        unsafe bindings.deallocate()
        unsafe slices.deallocate()
        unsafe integers.deallocate()
    }

    /// The statement's text, with placeholders.
    package var sql: String { unsafe String(cString: sqlite3_sql(handle)) }

    /// Binds an integer; parameters count from 1, at most 63 of them.
    package func bind(_ value: Int64, at index: Int) {
        mark(index)
        guard index >= 1, index <= parameters else { return note(SQLITE_RANGE) }
        let bit = UInt64(1) << UInt64(index)
        if unsafe bindings.pointee.integers & bit != 0, unsafe integers[index] == value { return }
        let code = unsafe sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: index), value)
        guard code == SQLITE_OK else { return note(code) }
        unsafe bindings.pointee.integers |= bit
        unsafe integers[index] = value
    }

    /// Binds an integer, or leaves the parameter null.
    package func bind(_ value: Int64?, at index: Int) {
        if let value { bind(value, at: index) }
    }

    /// Binds a copy of the text, or leaves the parameter null.
    package func bind(_ value: String?, at index: Int) {
        guard var value else { return }
        mark(index)
        forgetInteger(index)
        note(
            value.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                    guard let count = Int32(exactly: characters.count) else { return SQLITE_TOOBIG }
                    guard let start = characters.baseAddress else {
                        return unsafe bellhop_sqlite_bind_copied_text(
                            handle, Int32(truncatingIfNeeded: index), "", 0)
                    }
                    return unsafe bellhop_sqlite_bind_copied_text(
                        handle, Int32(truncatingIfNeeded: index), start, count)
                }
            })
    }

    /// Binds a copy of the bytes as a blob, or leaves the parameter null.
    package func bind(_ value: [UInt8]?, at index: Int) {
        guard let value else { return }
        mark(index)
        forgetInteger(index)
        note(
            unsafe value.withUnsafeBytes { bytes in
                guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
                let number = Int32(truncatingIfNeeded: index)
                // A null pointer would bind a null and not an empty blob.
                guard let start = bytes.baseAddress else { return unsafe sqlite3_bind_zeroblob(handle, number, 0) }
                return unsafe bellhop_sqlite_bind_copied_blob(handle, number, start, count)
            })
    }

    /// Binds a piece of the bytes that `run(over:)` is going to be given, as UTF-8 text that is not copied.
    package func bind(slice: Slice, at index: Int) {
        guard index >= 1, index <= parameters else { return note(SQLITE_RANGE) }
        unsafe slices[index] = slice
        unsafe bindings.pointee.integers &= ~(1 << UInt64(index))
        unsafe bindings.pointee.sliced |= 1 << UInt64(index)
        unsafe bindings.pointee.fresh |= 1 << UInt64(index)
    }

    /// Runs a statement that returns no row, and makes it ready for the next run.
    package func run() throws(DatabaseError) {
        try run(over: [UInt8]().span)
    }

    /// Runs a statement whose bound slices are pieces of `bytes`.
    package func run(over bytes: Span<UInt8>) throws(DatabaseError) {
        let code = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe bindSlices(UnsafeRawBufferPointer(buffer))
            let code = unsafe readied() ?? sqlite3_step(handle)
            // The pointers into `bytes` are not read again: whatever is not bound anew becomes null before the next step.
            return code
        }
        let failure = code == SQLITE_DONE || code == SQLITE_ROW ? nil : connection.error(code, sql)
        reset()
        if let failure { throw failure }
    }

    /// Moves to the next row; false, and ready for the next run, when there is none.
    package func step() throws(DatabaseError) -> Bool {
        let code = unsafe readied() ?? sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        let failure = code == SQLITE_DONE ? nil : connection.error(code, sql)
        reset()
        if let failure { throw failure }
        return false
    }

    /// Ends a run before its last row.
    package func reset() {
        unsafe sqlite3_reset(handle)
        unsafe bindings.pointee.fresh = 0
        unsafe bindings.pointee.sliced = 0
        unsafe bindings.pointee.failure = SQLITE_OK
    }

    private func mark(_ index: Int) {
        guard index >= 1, index <= parameters else { return }
        unsafe bindings.pointee.fresh |= 1 << UInt64(index)
        unsafe bindings.pointee.held |= 1 << UInt64(index)
        unsafe bindings.pointee.sliced &= ~(1 << UInt64(index))
    }

    private func forgetInteger(_ index: Int) {
        guard index >= 1, index <= parameters else { return }
        unsafe bindings.pointee.integers &= ~(1 << UInt64(index))
    }

    private func note(_ code: Int32) {
        if code != SQLITE_OK, unsafe bindings.pointee.failure == SQLITE_OK {
            unsafe bindings.pointee.failure = code
        }
    }

    private func bindSlices(_ bytes: UnsafeRawBufferPointer) {
        var waiting = unsafe bindings.pointee.sliced
        while waiting != 0 {
            let index = waiting.trailingZeroBitCount
            waiting &= waiting - 1
            let slice = unsafe slices[index]
            guard slice.start >= 0, slice.count >= 0, slice.start <= bytes.count,
                slice.count <= bytes.count - slice.start, let count = Int32(exactly: slice.count)
            else {
                note(SQLITE_RANGE)
                continue
            }
            let number = Int32(truncatingIfNeeded: index)
            guard let start = bytes.baseAddress else {
                note(unsafe bellhop_sqlite_bind_copied_text(handle, number, "", 0))
                continue
            }
            let characters = unsafe (start + slice.start).assumingMemoryBound(to: CChar.self)
            note(unsafe bellhop_sqlite_bind_static_text(handle, number, characters, count))
        }
        unsafe bindings.pointee.held |= bindings.pointee.sliced
        unsafe bindings.pointee.sliced = 0
    }

    /// Makes every parameter null that was not bound since the last run; a code when the statement may not be stepped.
    private func readied() -> Int32? {
        guard unsafe sqlite3_stmt_busy(handle) == 0 else { return nil }
        // A slice that was never handed over has no bytes to stand for.
        if unsafe bindings.pointee.sliced != 0 { return SQLITE_MISUSE }
        if unsafe bindings.pointee.failure != SQLITE_OK { return unsafe bindings.pointee.failure }
        var stale = unsafe bindings.pointee.held & ~bindings.pointee.fresh
        unsafe bindings.pointee.integers &= ~stale
        while stale != 0 {
            unsafe sqlite3_bind_null(handle, Int32(truncatingIfNeeded: stale.trailingZeroBitCount))
            stale &= stale - 1
        }
        unsafe bindings.pointee.held = bindings.pointee.fresh
        return nil
    }
}
