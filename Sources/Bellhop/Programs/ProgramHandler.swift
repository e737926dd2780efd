internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopXMPP

/// Runs the program of one command that the configuration declares, for one person after the other.
struct ProgramHandler: Sendable {
    let command: Configuration.ProgramCommand
    /// `commands.timeout`, for a command that has no limit of its own.
    let timeLimit: Duration
    let runner: ProgramRunner
    /// What of our own variables every program gets.
    let inherited: [String: String]
    let log: Log

    /// How long the desk waits: for a turn, for the program, and for it to go.
    var deskLimit: Duration { timeLimit * 2 + .seconds(15) }

    func run(_ context: Context, _ values: [ParsedArgument]) async throws -> String? {
        let call = try call(for: context.sender.bareText, values)
        let report = await runner.run(call) { lines in context.reply(lines.joined(separator: "\n")) }
        guard let report else { throw Failure(ProgramPhrases.tooBusy(command.name)) }
        note(report)
        let sentence = ProgramPhrases.ending(
            report.ending, of: command.name, limits: .init(time: timeLimit, output: command.outputLimit),
            hasOutput: report.hasSpoken || !report.rest.isEmpty, errors: report.errors,
            isBeyondReach: report.isBeyondReach)
        let text = (report.rest + [sentence].compactMap { $0 }).joined(separator: "\n")
        // What failed is a failure to whoever keeps account of runs, too.
        guard report.ending == .exited(0) else { throw Failure(text) }
        return text.isEmpty ? nil : text
    }

    /// The program with what a person wrote in its places.
    func call(for sender: String, _ values: [ParsedArgument]) throws(Failure) -> ProgramCall {
        for (argument, value) in zip(command.arguments, values) where value.value != .absent {
            let label = argument.description.label
            if value.text.utf8.contains(0) { throw Failure(ProgramPhrases.holdsNUL(argument: label)) }
            if let pattern = argument.pattern, !pattern.matches(value.text) {
                throw Failure(ProgramPhrases.doesNotMatch(value.text, argument: label))
            }
        }
        var call = ProgramCall(
            try command.run.filled(with: values), timeLimit: timeLimit, outputLimit: command.outputLimit)
        var environment = inherited
        switch command.pass {
        case .argv: break
        case .environment:
            environment["BELLHOP_COMMAND"] = command.name
            environment["BELLHOP_SENDER"] = sender
            for (argument, value) in zip(command.arguments, values) where value.value != .absent {
                environment[argument.variable] = value.text
            }
        case .json: call.input = Array((Self.json(command.name, sender, values) + "\n").utf8)
        }
        // The operator's word is the last one.
        environment.merge(command.environment.mapValues { $0.reveal() }) { _, own in own }
        call.environment = environment
        call.folder = command.folder
        return call
    }

    private func note(_ report: ProgramRunner.Report) {
        if case .notStarted(let failure) = report.ending {
            log.warning(
                "program", "A program was not started.",
                ["command": command.name, "reason": ProgramPhrases.reason(failure)])
        }
        if report.isBeyondReach {
            log.warning(
                "program", "A program runs as another user and could not be ended.", ["command": command.name])
        }
    }

    private static func json(_ name: String, _ sender: String, _ values: [ParsedArgument]) -> String {
        JSONText.object([
            ("command", JSONText.string(name)), ("sender", JSONText.string(sender)),
            ("arguments", JSONText.object(values.map { ($0.label, json($0.value)) })),
        ])
    }

    private static func json(_ value: ParsedValue) -> String {
        switch value {
        case .absent: "null"
        case .text(let text), .choice(let text): JSONText.string(text)
        case .integer, .number, .flag: value.text
        case .list(let values): JSONText.array(values.map(json))
        }
    }
}
