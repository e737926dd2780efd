/// Why a journal was not copied; the journal is as it was, whatever the reason.
package enum CopyError: Error, Equatable, Sendable {
    /// A file of that name is there, and it was not said that it may go.
    case exists(file: String)
    /// The file belongs to the journal itself.
    case isJournal(file: String)
    /// What was to be copied cannot be read, or is no sound journal.
    case source(JournalError)
    /// The copy cannot be made, or its place cannot be written.
    case target(JournalError)
    /// The copy was read again, and is not what was copied.
    case differs(file: String, finding: String)
    /// Stopped before it was done.
    case givenUp
}
