internal import BellhopDiagnostics

/// What systemd is told of the bot, and when (sd_notify(3)); each answer is the lines of one datagram.
///
/// The watchdog is fed only while the account is online and its server answers. While the server is away the bot is no dead
/// one, and a restart would bring nothing back: then systemd is asked for more patience, again at each attempt to connect.
/// A bot that hangs while it waits makes no attempt, and is found when that patience ends.
struct ServiceReport: Equatable {
    /// Longer than the longest wait between two attempts (300 s) and the longest login (600 s) together.
    static let absence: Duration = .seconds(1_200)

    /// How long systemd waits for a sign of life; nil where it does not.
    private let watchdog: Duration?
    private var isReady = false
    private var isStopping = false
    private var status = ""
    /// When the watchdog is fed next; nil while the bot is offline.
    private var feedAt: Duration?

    init(watchdog: Duration?) { self.watchdog = watchdog }

    mutating func connecting(to place: String) -> [String] { say(ServicePhrases.connecting(to: place)) + patience }

    mutating func wentOnline(as jid: String, now: Duration) -> [String] {
        isReady = true
        var lines = ["READY=1"] + say(ServicePhrases.online(as: jid))
        guard let watchdog else { return lines }
        lines += ["WATCHDOG_USEC=\(Self.microseconds(watchdog))", "WATCHDOG=1"]
        feedAt = now + watchdog / 2
        return lines
    }

    mutating func wentOffline(_ reason: String, retry: Duration?) -> [String] {
        feedAt = nil
        return say(ServicePhrases.offline(reason, retry: retry)) + patience
    }

    mutating func stopping() -> [String] {
        isStopping = true
        status = ServicePhrases.stopping
        return ["STOPPING=1", "STATUS=" + status]
    }

    /// `now` is the monotonic clock, which systemd compares with its own.
    mutating func reloading(now: Duration) -> [String] {
        guard isReady, !isStopping else { return [] }
        return ["RELOADING=1", "MONOTONIC_USEC=\(Self.microseconds(now))", "STATUS=" + ServicePhrases.reloading]
    }

    mutating func reloaded() -> [String] {
        guard isReady, !isStopping else { return [] }
        return ["READY=1", "STATUS=" + status]
    }

    /// When `timePassed` wants to be called; nil while nothing is to be fed.
    var deadline: Duration? { feedAt }

    /// Feeds the watchdog if it is time to; while the server owes an answer it looks again soon.
    mutating func timePassed(_ now: Duration, isServerAnswering: Bool) -> [String] {
        guard let watchdog, let due = feedAt, due <= now else { return [] }
        feedAt = now + watchdog / (isServerAnswering ? 2 : 8)
        return isServerAnswering ? ["WATCHDOG=1"] : []
    }

    /// One line, whatever a server wrote into its reasons.
    private mutating func say(_ sentence: String) -> [String] {
        guard !isStopping else { return [] }
        status = VisibleText.oneLine(sentence)
        return ["STATUS=" + status]
    }

    /// Before the first login it is the start that must not run out of time, afterwards the watchdog.
    private var patience: [String] {
        let time = Self.microseconds(Self.absence)
        guard isReady else { return ["EXTEND_TIMEOUT_USEC=\(time)"] }
        return watchdog == nil || isStopping ? [] : ["WATCHDOG_USEC=\(time)"]
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
        let parts = duration.components
        return parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
    }
}
