package import BellhopDiagnostics

/// How much a person wants to see, where the command line says so.
package enum Verbosity: String, Sendable, CaseIterable {
    /// `--quiet`: warnings and errors.
    case quiet
    /// `-v`.
    case verbose
    /// `-vv`: every stanza, with secrets cut out.
    case trace

    package var level: LogLevel {
        switch self {
        case .quiet: .warning
        case .verbose: .debug
        case .trace: .trace
        }
    }
}
