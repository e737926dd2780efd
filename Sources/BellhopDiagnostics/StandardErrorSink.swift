internal import Synchronization

/// Writes log lines to standard error, each whole and in one go, from any thread.
///
/// A reader that stops reading makes the writer wait, since losing lines in silence would be worse; lines that can not be
/// written at all (closed descriptor) are dropped.
public final class StandardErrorSink: LogSink {
    private let renderer: LogRenderer
    private let now: @Sendable () -> Int64
    private let output: Mutex<@Sendable ([UInt8]) -> Void>

    /// Writes to standard error; `journalStream` is the value of `$JOURNAL_STREAM`, by which a service knows that journald
    /// reads its lines (systemd.exec(5)).
    public convenience init(format: LogFormat, journalStream: String?) {
        let underJournald = StandardStream.error.isJournal(journalStream)
        self.init(
            renderer: LogRenderer(format: format, underJournald: underJournald), now: { WallClock.milliseconds() },
            output: { StandardStream.error.write($0) })
    }

    /// Writes to `output`, with the time that `now` gives in milliseconds since 1970.
    package init(
        renderer: LogRenderer, now: @escaping @Sendable () -> Int64, output: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.renderer = renderer
        self.now = now
        self.output = Mutex(output)
    }

    public func write(_ line: LogLine) {
        let bytes = Array(renderer.text(line, at: now()).utf8)
        output.withLock { $0(bytes) }
    }
}
