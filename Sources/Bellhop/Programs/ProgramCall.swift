/// A program to run, and within which limits.
package struct ProgramCall: Sendable {
    /// The program as a path with a slash or a name to look for along `PATH`, then its arguments. Never seen by a shell.
    package var arguments: [String]
    /// All the variables that the program gets; nil hands it ours.
    package var environment: [String: String]?
    /// The working directory; nil for ours.
    package var folder: String?
    /// What the program reads; without any it finds its input closed (`/dev/null`).
    package var input: [UInt8] = []
    package var errors = Errors.collected
    /// From its start to the order to stop.
    package var timeLimit: Duration
    /// From the order to stop (SIGTERM) to the end by force (SIGKILL).
    package var grace: Duration = .seconds(2)
    /// The most bytes that are taken from output and errors together.
    package var outputLimit: Int

    package init(_ arguments: [String], timeLimit: Duration, outputLimit: Int) {
        self.arguments = arguments
        self.timeLimit = timeLimit
        self.outputLimit = outputLimit
    }

    /// Where a program's standard error goes.
    package enum Errors: Sendable {
        case collected
        /// Where ours goes.
        case inherited
    }
}

/// How a program came to its end.
package enum ProgramEnding: Equatable, Sendable {
    case exited(Int32)
    /// By a signal that we did not send.
    case signalled(Int32)
    /// We stopped it, since its time was up.
    case timedOut
    /// We stopped it, since it printed too much.
    case outputLimit
    /// We stopped it, since nobody waits for it any more.
    case cancelled
    case notStarted(StartFailure)

    /// Why there is no process.
    package enum StartFailure: Error, Equatable, Sendable {
        case notFound(program: String)
        case notExecutable(path: String)
        case isFolder(path: String)
        /// The file is executable, but neither a program nor a script with `#!`.
        case noProgram(path: String)
        case folder(path: String, reason: String)
        /// An argument or a variable holds a NUL, which ends a text there.
        case nul
        /// In the words of the system.
        case system(reason: String)
    }
}

/// Who takes what a program prints.
protocol ProgramSink {
    mutating func received(output bytes: ArraySlice<UInt8>)
    mutating func received(errors bytes: ArraySlice<UInt8>)
    /// When `reachedDeadline` wants to be called; nil while nothing waits.
    var nextDeadline: ContinuousClock.Instant? { get }
    mutating func reachedDeadline()
}
