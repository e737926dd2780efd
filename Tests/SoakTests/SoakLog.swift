import BellhopDiagnostics
import Foundation
import Synchronization

/// Keeps the last lines that the bot logs, or prints all of them when `BELLHOP_SOAK_LOG` names a level.
final class SoakLog: LogSink {
    private let lines = Mutex<[String]>([])
    private let wanted = ProcessInfo.processInfo.environment["BELLHOP_SOAK_LOG"]

    var level: LogLevel { LogLevel.allCases.first { $0.name == wanted } ?? .info }

    func write(_ line: LogLine) {
        note(
            "\(line.level.name) \(line.event): \(line.message)" + line.fields.map { " \($0.name)=\($0.value)" }.joined()
        )
    }

    func note(_ text: String) {
        if wanted != nil { print(text) }
        lines.withLock { lines in
            lines.append(text)
            if lines.count > 400 { lines.removeFirst(200) }
        }
    }

    var recent: [String] { lines.withLock { $0 } }
}
