/// What a stage's server offers, and how the bot on it is set up.
public struct StageOptions: Sendable {
    /// The bot's configuration as an operator writes it, without `account` and `journal`, which are the stage's.
    public var configuration = "{}"
    /// Whether the bot and its server speak TLS.
    public var isEncrypted = true
    /// Whether the server offers stream management (XEP-0198), and how long it keeps a lost session.
    public var hasStreamManagement = true
    public var hibernation: Duration = .seconds(600)
    /// Whether the server keeps an archive (XEP-0313).
    public var hasArchive = true
    /// The most bytes of a stanza that the server takes (XEP-0478); nil for any number.
    public var stanzaLimit: Int?
    /// After so much silence the bot asks whether the server is still there.
    public var pingAfter: Duration = .seconds(60)
    /// How long the server may take to answer that.
    public var pingTimeout: Duration = .seconds(20)
    /// How soon the bot tries to come back after a break; it waits for twice this at most.
    public var reconnectsWithin: Duration = .milliseconds(50)
    /// Whether `run` and `restart` return only when the bot is online.
    public var waitsUntilOnline = true
    /// How long a wait for a fact may take.
    public var patience: Duration = .seconds(30)
    /// Decides all ids of the server.
    public var seed: UInt64 = 1

    public init() {}
}
