import EndToEndSupport

/// All that is known when a run is over.
struct Evidence: Sendable {
    var messages: [PlannedMessage]
    var facts: Census.Facts
    /// The bot's journal.
    var rows: [LogRow]
    /// The bare address of each person, by number.
    var people: [String]
    /// How often the server ended, and could lose something.
    var serverDeaths = 0
    /// What the server kept of the bot's conversations.
    var archive: ServerArchive
    /// The lines of the file that `note` appends to.
    var effects: [String]
    /// What the bot wrote to its streams.
    var wire: WireLog
    /// What SQLite says of the journal; `ok` if it is sound.
    var integrity: String
    /// How processes of the bot ended that nobody had ended so.
    var endings: [String]
    /// Why the run was not waited for any longer; nil when everything had come to its end.
    var unsettled: String?
}
