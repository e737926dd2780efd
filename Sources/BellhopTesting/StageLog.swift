internal import BellhopDiagnostics
internal import Synchronization

/// Keeps the last lines that the bot logged.
final class StageLog: LogSink {
    private let lines = Mutex<[String]>([])
    /// How many lines are kept.
    private static let limit = 1_000

    func write(_ line: LogLine) {
        let fields = line.fields.map { " \($0.name)=\($0.value)" }.joined()
        lines.withLock { lines in
            if lines.count == Self.limit { lines.removeFirst(Self.limit / 2) }
            lines.append("\(line.event): \(line.message)\(fields)")
        }
    }

    var all: [String] { lines.withLock { $0 } }
}
