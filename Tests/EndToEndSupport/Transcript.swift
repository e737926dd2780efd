import Synchronization

/// What a process wrote to one of its streams, line by line, and those who wait for a line of it.
package final class Transcript: Sendable {
    private struct Pieces {
        var unfinished: [UInt8] = []
        var bytes: [UInt8] = []
    }

    private let pieces = Mutex(Pieces())
    private let timeline = Timeline<String>()

    /// Where the process is read, as long as it is.
    private let source = Mutex<PipeEnd?>(nil)

    /// The lines that were complete when this was asked.
    package var lines: [String] {
        source.withLock { $0 }?.take()
        return timeline.items
    }

    /// How many lines are complete: where to look from for what is written later.
    package var count: Int {
        source.withLock { $0 }?.take()
        return timeline.count
    }

    func follow(_ end: PipeEnd?) { source.withLock { $0 = end } }

    /// Takes what the process wrote.
    package func append(_ bytes: [UInt8]) {
        pieces.withLock { pieces in
            pieces.bytes += bytes
            for byte in bytes {
                if byte == UInt8(ascii: "\n") {
                    finishLine(&pieces)
                } else {
                    pieces.unfinished.append(byte)
                }
            }
        }
    }

    /// The stream has ended; a last line without a newline counts.
    package func close() {
        pieces.withLock { pieces in
            if !pieces.unfinished.isEmpty { finishLine(&pieces) }
        }
        timeline.close()
    }

    private func finishLine(_ pieces: inout Pieces) {
        let line = String(decoding: pieces.unfinished, as: UTF8.self)
        pieces.unfinished = []
        timeline.append(line)
    }

    /// The first line, from the given place on, that contains the words; nil when the stream ended without one.
    /// Throws `CancellationError` when the waiting task is cancelled, as a time limit of a test does.
    package func line(containing words: String, from start: Int = 0) async throws -> String? {
        try await line(from: start) { $0.contains(words) }
    }

    /// The first line, from the given place on, that matches; nil when the stream ended without one.
    package func line(from start: Int = 0, where matches: @escaping @Sendable (String) -> Bool) async throws -> String?
    {
        try await timeline.first(from: start, where: matches)
    }

    /// Everything that the process wrote, once it has closed the stream.
    package func everything() async throws -> String {
        _ = try await line { _ in false }
        return pieces.withLock { String(decoding: $0.bytes, as: UTF8.self) }
    }
}
