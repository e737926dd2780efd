internal import CBellhopSQLite

extension Connection {
    /// Whether unused room in the database file still holds what was deleted.
    ///
    /// `secure_delete` overwrites a deleted row, but not the copy that stays behind when SQLite moves a row to another page
    /// or further up in its page. Looks at the file alone, so checkpoint first. Overflow pages are not looked at: they are
    /// only ever released whole, and overwritten then.
    package func hasResidue(while goesOn: () -> Bool = { true }) throws(DatabaseError) -> Bool {
        let size = Int(truncatingIfNeeded: try integer("PRAGMA page_size") ?? 0)
        let count = try integer("PRAGMA page_count") ?? 0
        guard size >= 512, count > 0 else { return false }
        let free = try freePages(size: size, count: count)
        if free.hasResidue { return true }
        for number in 1...count {
            if number % 1_024 == 0, !goesOn() {
                throw DatabaseError(code: SQLITE_INTERRUPT, message: "the look was given up", sql: nil)
            }
            // A page that was never checkpointed lies behind the end of the file.
            guard let page = try page(number, size: size) else { break }
            if free.leaves.contains(number) {
                if !PageLayout.isEmpty(page, 0, page.count) { return true }
            } else if !free.trunks.contains(number), !PageLayout(page, isFirst: number == 1).isClean {
                return true
            }
        }
        return false
    }

    private struct FreePages {
        var trunks: Set<Int64> = []
        var leaves: Set<Int64> = []
        /// Whether a trunk holds more than its list.
        var hasResidue = false
    }

    /// Walks the list of unused pages (https://sqlite.org/fileformat2.html#the_freelist).
    private func freePages(size: Int, count: Int64) throws(DatabaseError) -> FreePages {
        var free = FreePages()
        guard let header = try page(1, size: size) else { return free }
        var trunk = Int64(PageLayout.number(header, at: 32))
        while trunk > 0, trunk <= count, free.trunks.insert(trunk).inserted, let page = try page(trunk, size: size) {
            let listed = min(PageLayout.number(page, at: 4), (size - 8) / 4)
            for index in 0..<listed { free.leaves.insert(Int64(PageLayout.number(page, at: 8 + 4 * index))) }
            if !PageLayout.isEmpty(page, 8 + 4 * listed, page.count) { free.hasResidue = true }
            trunk = Int64(PageLayout.number(page, at: 0))
        }
        return free
    }

    /// The bytes of a page as they are in the file, without the write-ahead log; nil behind its end.
    ///
    /// Read by SQLite's own handle: opening the file once more and closing it would drop the locks of this process.
    private func page(_ number: Int64, size: Int) throws(DatabaseError) -> [UInt8]? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = unsafe withUnsafeMutablePointer(to: &file) {
            unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, $0)
        }
        guard code == SQLITE_OK, let file = unsafe file, let read = unsafe file.pointee.pMethods?.pointee.xRead else {
            throw error(code, "read")
        }
        var bytes = [UInt8](repeating: 0, count: size)
        let result = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe read(file, buffer.baseAddress, Int32(truncatingIfNeeded: size), (number - 1) * Int64(size))
        }
        if result == bellhop_sqlite_short_read { return nil }
        guard result == SQLITE_OK else { throw error(result, "read") }
        return bytes
    }
}
