internal import BellhopBot
internal import BellhopJournal
internal import BellhopXMPP

/// How far the archive on the server was read, in the journal.
extension JournalLedger {
    /// Nil where nothing is known, or the journal cannot say.
    var archivePosition: ArchivePosition? { try? journal.archivePosition(account) }

    func setArchivePosition(_ position: ArchivePosition) { journal.setArchivePosition(position, account) }
}
