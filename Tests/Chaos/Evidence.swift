import EndToEndSupport

/// All that is known when a run is over.
struct Evidence: Sendable {
    var messages: [PlannedMessage]
    var facts: Census.Facts
    /// The bot's journal.
    var rows: [LogRow]
    /// The bare address of each person, by number.
    var people: [String]
    /// The lines of the file that `note` appends to.
    var effects: [String]
    /// How often the bot wrote each of its messages to a stream.
    var sent: [String: Int]
    /// What SQLite says of the journal; `ok` if it is sound.
    var integrity: String
    /// How processes of the bot ended that nobody had ended so.
    var endings: [String]
    /// Why the run was not waited for any longer; nil when everything had come to its end.
    var unsettled: String?
}
