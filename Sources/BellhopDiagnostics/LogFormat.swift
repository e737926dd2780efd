/// How log lines look on standard error.
public enum LogFormat: String, Sendable, CaseIterable {
    /// A line for people.
    case text
    /// One JSON object a line.
    case json
}

extension LogLevel {
    /// The level as it is written in a configuration and in JSON lines, like `warning`.
    public var name: String {
        switch self {
        case .trace: "trace"
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }

    /// The level with that name; nil when there is none.
    public init?(name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    /// The number that journald reads from a line's start (sd-daemon(3)): 3 error, 4 warning, 6 info, 7 debug.
    var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .warning: 4
        case .error: 3
        }
    }

    /// Five columns wide, so that events stand below each other.
    var column: String {
        switch self {
        case .trace: "trace"
        case .debug: "debug"
        case .info: "info "
        case .warning: "warn "
        case .error: "error"
        }
    }
}
