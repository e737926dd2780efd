import Bellhop

/// What an operator can set under `bot`.
struct OpsSettings: CustomSettings, Equatable {
    /// The units that may be restarted from the chat.
    var restart: [UnitName] = []
    /// How many lines of a log are shown when nobody says how many.
    var logLines = 20
    /// From which percentage on a file system is called nearly full.
    var diskWarning = 90
    /// How long `reach` waits.
    var reachTimeout: Duration = .seconds(5)

    static let keys: [SettingKey<OpsSettings>] = [
        SettingKey("restart", \.restart),
        SettingKey("logLines", \.logLines, in: 1...LogRequest.most),
        SettingKey("diskWarning", \.diskWarning, in: 1...100),
        SettingKey("reachTimeout", \.reachTimeout, in: .seconds(1) ... .seconds(20)),
    ]
}
