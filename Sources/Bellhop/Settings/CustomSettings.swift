public import BellhopBot

/// Settings of a bot's own, which an operator writes under `bot` in the configuration and a handler reads with
/// `context.settings(OpsSettings.self)`.
///
/// A value fresh from `init()` holds the defaults. A key that is not in `keys`, or a value that does not fit, refuses to start
/// and is named by `check`.
public protocol CustomSettings: Sendable {
    init()
    /// Every key that may stand under `bot`, in the order in which `check` shows them.
    static var keys: [SettingKey<Self>] { get }
}

extension Bot {
    /// A bot that has settings of its own; see `CustomSettings`.
    public init<Settings: CustomSettings>(settings: Settings.Type, @BotBuilder _ parts: () -> [BotPart]) {
        self.init(parts)
        customSettings = SettingsReader(settings)
    }
}

extension Context {
    /// The bot's own settings as the configuration has them; the defaults where it has none.
    public func settings<Settings: CustomSettings>(_ type: Settings.Type = Settings.self) -> Settings {
        customSettings as? Settings ?? Settings()
    }
}
