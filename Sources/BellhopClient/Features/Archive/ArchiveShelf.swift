internal import BellhopEngine

/// What a session knows of the account's archive, and which readings of it are under way.
struct ArchiveShelf {
    enum Support: Equatable {
        /// Nobody has asked yet. Next: `asked`.
        case unknown
        /// Next: `known`, or `unknown` when no answer came.
        case asked
        case known(Bool)
    }

    var support = Support.unknown
    /// Who waits for the answer to that; each is called once.
    var waiters: [(Bool?) -> Void] = []
    /// By the id of the question that is open.
    var readings: [String: ArchiveRun] = [:]
}

/// One reading of the archive and who it is for.
final class ArchiveRun {
    var reading: ArchiveReading
    let report: (ArchiveReport) -> Void

    init(_ reading: ArchiveReading, _ report: @escaping (ArchiveReport) -> Void) {
        self.reading = reading
        self.report = report
    }
}
