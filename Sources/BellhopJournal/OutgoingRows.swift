/// The messages of an account that are to be sent and of which the server is not known to have each, in order.
///
/// Mostly they come to their end in order, and one mark for all is enough; one that overtakes others is marked by itself.
struct OutgoingRows {
    enum End: Equatable {
        /// Everything up to this row has come to its end.
        case through(Int64)
        /// The row has, and one before it has not.
        case alone
        /// There is no such row, or it came to its end before.
        case unknown
    }

    private var rows: [Int64] = []
    private var first = 0
    private var ended: Set<Int64> = []

    init(_ rows: [Int64] = []) { self.rows = rows }

    var count: Int { rows.count - first - ended.count }

    /// Numbers only grow.
    mutating func append(_ row: Int64) { rows.append(row) }

    func contains(_ row: Int64) -> Bool { index(of: row) != nil && !ended.contains(row) }

    mutating func end(_ row: Int64) -> End {
        guard first < rows.count else { return .unknown }
        guard rows[first] == row else {
            guard contains(row) else { return .unknown }
            ended.insert(row)
            return .alone
        }
        var last = row
        first += 1
        while first < rows.count, !ended.isEmpty, ended.remove(rows[first]) != nil {
            last = rows[first]
            first += 1
        }
        dropEnded()
        return .through(last)
    }

    /// Everything up to this row has come to its end.
    mutating func end(through row: Int64) {
        while first < rows.count, rows[first] <= row {
            ended.remove(rows[first])
            first += 1
        }
        dropEnded()
    }

    private mutating func dropEnded() {
        if first == rows.count {
            rows.removeAll(keepingCapacity: rows.capacity <= 4_096)
            first = 0
        } else if first >= 4_096 {
            rows.removeFirst(first)
            first = 0
        }
    }

    private func index(of row: Int64) -> Int? {
        var lower = first
        var upper = rows.count
        while lower < upper {
            let middle = (lower + upper) / 2
            if rows[middle] < row { lower = middle + 1 } else { upper = middle }
        }
        return lower < rows.count && rows[lower] == row ? lower : nil
    }
}
