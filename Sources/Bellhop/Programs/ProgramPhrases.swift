internal import BellhopDiagnostics

/// What people are told about a program that ran for them, or did not.
enum ProgramPhrases {
    /// What is said behind the output, or in its place; nil when the output says enough.
    ///
    /// - Parameters:
    ///   - name: The command as it is typed, without the prefix.
    ///   - hasOutput: Whether anything was said already.
    ///   - errors: The last lines that the program wrote to its standard error.
    static func ending(
        _ ending: ProgramEnding, of name: String, limits: Limits, hasOutput: Bool, errors: [String],
        isBeyondReach: Bool = false
    ) -> String? {
        let sentence: String
        switch ending {
        case .exited(0):
            guard !hasOutput else { return nil }
            return errors.isEmpty ? "Done." : errors.joined(separator: "\n")
        case .exited(126):
            sentence = "\(name) ended with code 126: something that it calls is there, but cannot be executed"
        case .exited(127): sentence = "\(name) ended with code 127: something that it calls was not found"
        case .exited(let code): sentence = "\(name) ended with code \(code)"
        case .signalled(let number): sentence = "\(name) was ended by \(signal(number))"
        case .timedOut:
            sentence = "\(name) took longer than \(DurationText.show(limits.time)), so I stopped it"
        case .outputLimit:
            sentence = "\(name) printed more than \(size(limits.output)), so I stopped it; the rest is left out"
        case .cancelled: sentence = "\(name) was cancelled"
        case .notStarted(let failure): return "I could not start \(name): \(reason(failure))."
        }
        let rest = isBeyondReach ? " It runs as another user and would not go; the operator has to end it." : ""
        guard !errors.isEmpty else { return sentence + "." + rest }
        return sentence + (rest.isEmpty ? ":" : "." + rest) + "\n" + errors.joined(separator: "\n")
    }

    /// The limits of a run, for the sentences that name them.
    struct Limits: Equatable, Sendable {
        var time: Duration
        /// In bytes.
        var output: Int
    }

    /// Why a program was not started, and what to do; continues a sentence and ends without a full stop.
    static func reason(_ failure: ProgramEnding.StartFailure) -> String {
        switch failure {
        case .notFound(let program) where program.contains("/"):
            "there is no \(program); install it, or mend its path in the configuration"
        case .notFound(let program):
            "the program \(program) was not found; install it, or write its whole path into the configuration"
        case .notExecutable(let path): "\(path) is not executable; chmod +x mends that, if it is a program"
        case .isFolder(let path): "\(path) is a folder and no program"
        case .noProgram(let path):
            "\(path) is neither a program nor a script whose first line names one that is there, like #!/bin/sh"
        case .folder(let path, let reason): "its working directory \(path) cannot be entered: \(reason)"
        case .nul: "a text with a NUL character cannot be handed to a program"
        case .system(let reason): reason
        }
    }

    static func tooBusy(_ name: String) -> String {
        "Too many programs run at the moment, so I did not start \(name). Please try again later."
    }

    // MARK: Arguments

    static func startsWithDash(_ value: String, argument: String) -> String {
        "\(shown(value)) does not fit \(argument.uppercased()): a value that starts with a dash could be taken for an option."
    }

    static func doesNotMatch(_ value: String, argument: String) -> String {
        "\(shown(value)) does not fit \(argument.uppercased()): it holds something that is not allowed there."
    }

    static func holdsNUL(argument: String) -> String {
        "\(argument.uppercased()) holds a NUL character, which cannot be handed to a program."
    }

    // MARK: Pieces

    /// A signal by its name, like `SIGTERM`.
    static func signal(_ number: Int32) -> String {
        let names: [Int32: String] = [
            1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
            9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
            24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
        ]
        return names[number] ?? "signal \(number)"
    }

    private static func size(_ bytes: Int) -> String {
        bytes >= 1024 && bytes % 1024 == 0 ? "\(bytes / 1024) KiB" : "\(bytes) bytes"
    }

    private static func shown(_ text: String) -> String {
        let line = VisibleText.oneLine(text)
        return line.count > 60 ? line.prefix(60) + "\u{2026}" : line
    }
}
