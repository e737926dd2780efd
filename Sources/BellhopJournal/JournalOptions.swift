/// How a journal is kept.
package struct JournalOptions: Sendable, Equatable {
    /// What survives what.
    package enum Durability: String, Sendable {
        /// A killed process loses nothing; a power cut may lose the last seconds and leaves the file sound.
        case normal
        /// A power cut loses nothing either; each commit waits for the disk.
        case full
    }

    package var durability = Durability.normal
    /// How many characters of a body that came in are kept; the rest is cut and the full length noted.
    package var bodyLimit = 65_536
    /// How many bytes of a payload that came in are kept; a longer one is left out.
    package var payloadLimit = 65_536
    /// Whether the texts of messages stay when all is done with them; if not, their rows stay without.
    package var keepsBodies = true
    /// How many messages, at least, a duplicate is looked for among.
    package var duplicateWindow = 4_096
    /// How many rows are held in memory while the disk takes none.
    package var heldRows = 10_000
    /// How many bytes they may take.
    package var heldBytes = 16 << 20
    /// How long the write-ahead log may grow, in bytes, before it is copied into the database file.
    package var checkpointBytes = 4 << 20
    /// How long it may grow before the writer is made to pause for that.
    package var restartBytes = 32 << 20

    package init() {}
}
