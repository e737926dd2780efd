/// A conversation in which a handler runs, or whose person writes too fast: what came meanwhile waits here, in order.
///
/// There is no lane for a conversation in which nothing runs and nothing waits.
struct Lane {
    /// Nil while nothing runs, because the person has to wait; see Desk+Pace.
    var running: RunID?
    /// At most `DeskSettings.laneLimit`.
    var waiting: [Job] = []
    /// The last row that waits in memory or ran; those behind it wait in the ledger when `isSpilled`.
    var lastRow: RowID
    /// Whether messages wait in the ledger, because memory was full.
    var isSpilled = false
    /// How many came since they do; at most `DeskSettings.spillLimit`.
    var spilled = 0
}
