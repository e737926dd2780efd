/// What came of reading the configuration again.
enum ReloadOutcome: Equatable, Sendable {
    case done(ConfigurationChanges)
    /// The new one is wrong, with a line for each problem; the old one holds.
    case refused([String])
}
