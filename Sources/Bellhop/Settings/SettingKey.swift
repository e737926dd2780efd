public import BellhopBot

/// One key under `bot` in the configuration: its name, where its value goes, and what values fit.
///
/// The value may be of every type that can be an argument of a command (`String`, `Int`, `Double`, `Bool`, an enum of choices,
/// an `ArgumentValue` of one's own), an optional or a list of such, or a `Duration`. Numbers and truth values are written as
/// JSON has them, all else as text, exactly as the type reads it.
public struct SettingKey<Settings: Sendable>: Sendable {
    let key: ConfigurationKey<Settings>
    /// How the value would stand in the file.
    let show: @Sendable (Settings) -> String

    private init<Value>(
        _ name: String, _ form: ConfigurationForm<Value>, _ place: any WritableKeyPath<Settings, Value> & Sendable
    ) {
        key = ConfigurationKey(name, form, place)
        show = { settings in form.show(settings[keyPath: place]) }
    }

    /// A single value.
    public init<Value: ArgumentValue>(_ name: String, _ place: any WritableKeyPath<Settings, Value> & Sendable) {
        self.init(name, .setting, place)
    }

    /// A value that may be left out, or be `null`.
    public init<Value: ArgumentValue>(_ name: String, _ place: any WritableKeyPath<Settings, Value?> & Sendable) {
        self.init(name, ConfigurationForm<Value>.setting.optional, place)
    }

    /// A list of values.
    public init<Value: ArgumentValue>(_ name: String, _ place: any WritableKeyPath<Settings, [Value]> & Sendable) {
        self.init(name, .settings(), place)
    }

    /// A whole number of the range.
    public init(
        _ name: String, _ place: any WritableKeyPath<Settings, Int> & Sendable, in range: ClosedRange<Int>
    ) {
        self.init(name, .integer(range), place)
    }

    /// A stretch of time of the range, written like `"30s"`, `"2m"`, `"1h"` or `"2d"`.
    public init(
        _ name: String, _ place: any WritableKeyPath<Settings, Duration> & Sendable, in range: ClosedRange<Duration>
    ) {
        self.init(name, .duration(range), place)
    }
}
