package import BellhopBot

/// Reads what stands under `bot`, with the author's type erased.
package struct SettingsReader: Sendable {
    /// Puts the object into fresh settings; a problem's path starts at the top of the file.
    let read: @Sendable (JSONNode?) -> Result<SettingsReading, ConfigurationReport>

    package init<Settings: CustomSettings>(_ type: Settings.Type) {
        read = { node in
            var settings = Settings()
            let keys = Settings.keys
            if let node, node.value != .null {
                var walker = ConfigurationWalker(keys: keys.map(\.key), prefix: "bot")
                walker.walk(node, into: &settings)
                guard walker.problems.isEmpty else {
                    return .failure(ConfigurationReport(file: nil, problems: walker.problems))
                }
            }
            let facts = keys.map { SettingsReading.Fact(name: "bot." + $0.key.path, value: $0.show(settings)) }
            return .success(SettingsReading(value: settings, facts: facts))
        }
    }
}

/// A bot's own settings as they were read.
package struct SettingsReading: Sendable, Equatable {
    /// Of the author's type.
    var value: any Sendable
    /// One for each key, in the author's order.
    var facts: [Fact]

    /// A key and its value as it would stand in the file.
    struct Fact: Sendable, Equatable {
        var name: String
        var value: String
    }

    /// The facts hold all that was read, and can be compared.
    package static func == (one: SettingsReading, other: SettingsReading) -> Bool { one.facts == other.facts }
}

extension Bot {
    /// How this bot's own settings are read; nil where it has none.
    package var settingsReader: SettingsReader? { customSettings as? SettingsReader }
}
