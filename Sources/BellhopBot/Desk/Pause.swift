package import BellhopXMPP

/// That the bot is paused; kept across restarts.
package struct Pause: Sendable, Equatable {
    package var since: Timestamp
    /// Who paused it: an admin's address, or the command line.
    package var by: String

    package init(since: Timestamp, by: String) {
        self.since = since
        self.by = by
    }
}

/// What became of the commands that waited when a pause ended.
package struct Resumption: Sendable, Equatable {
    /// Those that run now.
    package var run: Int
    /// Those that had waited for too long.
    package var late: Int

    package init(run: Int, late: Int) {
        self.run = run
        self.late = late
    }
}
