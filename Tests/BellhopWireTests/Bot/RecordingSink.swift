import BellhopDiagnostics
import Synchronization

@testable import BellhopTestServer

/// Keeps what a bot logs, and lets a test wait for a line.
final class RecordingSink: LogSink {
    private let kept = Mutex<[LogLine]>([])
    private let news = Mailbox<LogLine> { "\($0.event): \($0.message)" }

    func write(_ line: LogLine) {
        kept.withLock { $0.append(line) }
        news.post(line)
    }

    /// Every line so far.
    var lines: [LogLine] { kept.withLock { $0 } }

    /// Every line so far as an operator reads it, values included.
    var text: [String] {
        lines.map { line in
            line.message + line.fields.map { " \($0.name)=\($0.value)" }.joined()
        }
    }

    /// Takes the next line of this event, now or later.
    @discardableResult
    func expect(_ event: String, patience: Duration = .seconds(30)) async throws -> LogLine {
        try await news.take("a log line of \(event)", patience: patience) { $0.event == event ? $0 : nil }
    }
}
