internal import BellhopBot
internal import BellhopJournal
internal import BellhopXMPP

/// How far the archive on the server was read, in the journal.
extension JournalLedger {
    /// Nil where nothing is known, or the journal cannot say.
    var archivePosition: ArchivePosition? { try? journal.archivePosition(account) }

    func setArchivePosition(_ position: ArchivePosition) { journal.setArchivePosition(position, account) }

    /// The archive's id of the first of the messages that these rows answer; nil where one of them answers nothing, or a message
    /// that the archive gave no id.
    func archiveID(answeredBy rows: [BellhopBot.RowID]) -> String? {
        var first: (row: BellhopJournal.RowID, id: String)?
        for row in rows {
            guard let answered = try? journal.message(BellhopJournal.RowID(row))?.answers,
                let message = try? journal.message(answered), let id = message.archiveID
            else { return nil }
            if first.map({ answered < $0.row }) ?? true { first = (answered, id) }
        }
        return first?.id
    }
}
