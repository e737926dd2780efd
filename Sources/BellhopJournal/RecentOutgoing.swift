/// The ids of the messages that were written last, so that a bounce finds its row.
///
/// A ring: when it is full the oldest is forgotten, and a later bounce is looked for among the rows.
struct RecentOutgoing {
    private static let size = 1_024

    private let key = Fingerprint.Key.random()
    private var ring: [(fingerprint: UInt64, row: Int64)] = []
    private var oldest = 0

    mutating func insert(id: String, row: Int64) {
        let entry = (fingerprint: fingerprint(id), row: row)
        if ring.count < Self.size {
            ring.append(entry)
            return
        }
        ring[oldest] = entry
        oldest = (oldest + 1) % Self.size
    }

    /// Rows whose message may have this id, newest first.
    func rows(id: String) -> [Int64] {
        let fingerprint = fingerprint(id)
        return ring.lazy.filter { $0.fingerprint == fingerprint }.map(\.row).sorted(by: >)
    }

    private func fingerprint(_ id: String) -> UInt64 {
        var fingerprint = Fingerprint(key, 0)
        fingerprint.add(id)
        return fingerprint.value
    }
}
