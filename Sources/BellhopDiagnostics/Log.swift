internal import Synchronization

/// How much a log line matters; `info` is the default threshold.
public enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    case trace, debug, info, warning, error

    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }
}

/// One structured log line: a static sentence, and what it is about as named values.
///
/// Never put a message body or a secret into a line below `trace`.
public struct LogLine: Sendable {
    public var level: LogLevel
    /// A short name for machines, like `login` or `request`.
    public var event: String
    /// The sentence for people.
    public var message: String
    public var fields: [(name: String, value: String)]

    public init(level: LogLevel, event: String, message: String, fields: [(name: String, value: String)] = []) {
        self.level = level
        self.event = event
        self.message = message
        self.fields = fields
    }
}

/// Where log lines go; called from any thread.
public protocol LogSink: Sendable {
    func write(_ line: LogLine)
}

/// Writes log lines of at least `level` to its sink; a value that is passed down to whoever may speak.
///
/// All copies of a log have one level: who changes it changes it for everybody that it was passed down to.
public struct Log: Sendable {
    private let threshold: Threshold
    private let sink: any LogSink

    public init(level: LogLevel, sink: any LogSink) {
        threshold = Threshold(level)
        self.sink = sink
    }

    public var level: LogLevel {
        get { LogLevel(rawValue: threshold.value.load(ordering: .relaxed)) ?? .info }
        nonmutating set { threshold.value.store(newValue.rawValue, ordering: .relaxed) }
    }

    private final class Threshold: Sendable {
        let value: Atomic<Int>

        init(_ level: LogLevel) { value = Atomic(level.rawValue) }
    }

    /// Drops everything.
    public static let silent = Log(level: .error, sink: SilentSink())

    public func isOn(_ level: LogLevel) -> Bool { level.rawValue >= threshold.value.load(ordering: .relaxed) }

    public func write(
        _ level: LogLevel, _ event: String, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]
    ) {
        guard isOn(level) else { return }
        sink.write(
            LogLine(level: level, event: event, message: message(), fields: fields().map { ($0.key, $0.value) }))
    }

    public func error(
        _ event: String, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]
    ) { write(.error, event, message(), fields()) }

    public func warning(
        _ event: String, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]
    ) { write(.warning, event, message(), fields()) }

    public func info(
        _ event: String, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]
    ) { write(.info, event, message(), fields()) }

    public func debug(
        _ event: String, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]
    ) { write(.debug, event, message(), fields()) }

    public func trace(
        _ event: String, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]
    ) { write(.trace, event, message(), fields()) }
}

private struct SilentSink: LogSink {
    func write(_ line: LogLine) {}
}
