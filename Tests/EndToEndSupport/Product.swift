import FoundationEssentials

/// One of the package's own executables, as built for this test run.
package enum Product: String {
    case echobot
    case opsbot
    case bellhop
    case visitor
    case fixturebot
    case chaos

    /// The executable lies beside the test bundle.
    package var path: String {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return bundle.prefix(through: bundle.lastIndex(of: "/") ?? bundle.startIndex) + rawValue
    }

    /// Runs the body with the program running; it is killed, if it still runs, when the body is done.
    package func running<Result>(
        _ arguments: [String], environment: [String: String] = [:], _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        try await ChildProcess.running(path, arguments, environment: environment, body)
    }

    /// Runs it to its end, with `input` as all of its standard input.
    package func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) async throws -> CompletedRun {
        try await ChildProcess(path, arguments, environment: environment).completed(input: input)
    }
}

/// What came out of a process that ran to its end.
package struct CompletedRun: Equatable, Sendable {
    package var end: ProcessEnd
    package var output: String
    package var errors: String

    package init(end: ProcessEnd, output: String, errors: String) {
        self.end = end
        self.output = output
        self.errors = errors
    }
}

extension ChildProcess {
    /// Gives the child all of its input and waits for its end and for everything it wrote.
    package func completed(input: String = "") async throws -> CompletedRun {
        if !input.isEmpty { await write(input) }
        closeInput()
        let end = await end()
        return CompletedRun(end: end, output: try await output.everything(), errors: try await errors.everything())
    }
}
