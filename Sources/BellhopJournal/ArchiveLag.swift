/// How far behind the newest message the archive is read again.
///
/// A server that numbers what it files by its clock, in one process for each sender, delivers it in another order: what bears a
/// smaller number than the newest message may still have been on its way when the connection was lost. What is read a second time
/// is recognised, so the last seconds are.
struct ArchiveLag {
    /// In milliseconds. What was on its way for longer than this came in order.
    private static let time: Int64 = 5_000
    /// Fewer than duplicates are found among.
    private static let rows: Int64 = 1_000

    private var newest: (row: Int64, receivedAt: Int64)?
    /// The oldest place that was looked at.
    private(set) var furthest: ArchivePosition?

    /// Whether a place is far enough behind; places come newest first.
    mutating func isEnough(at position: ArchivePosition, row: Int64, receivedAt: Int64) -> Bool {
        furthest = position
        guard let newest else {
            newest = (row, receivedAt)
            return false
        }
        let (behind, overflows) = newest.receivedAt.subtractingReportingOverflow(receivedAt)
        return overflows || behind >= Self.time || newest.row - row >= Self.rows
    }
}
