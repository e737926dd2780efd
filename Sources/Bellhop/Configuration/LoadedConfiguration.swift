internal import BellhopDiagnostics
package import BellhopXMPP

/// A configuration and where it came from.
package struct LoadedConfiguration: Equatable, Sendable {
    package var configuration: Configuration
    package var origin: Origin
    package var passwordSource: SecretSource
    /// Whether the password is in no place yet; only where `ConfigurationLoader.makesPassword`.
    package var lacksPassword = false
    /// Whether the configuration names a place for the password.
    var namesPassword: Bool { !draft.password.sources.isEmpty }
    /// What an operator should know, though it stops nothing: one sentence each.
    package var notes: [String]
    /// The values as they were written, to tell which keys of two configurations differ.
    var draft: ConfigurationDraft

    package enum Origin: Equatable, Sendable {
        case file(String)
        /// `BELLHOP_JID` and its companions.
        case environment

        package var description: String {
            switch self {
            case .file(let path): path
            case .environment: "environment variables"
            }
        }
    }
}

/// Everything that is wrong with a configuration.
package struct ConfigurationReport: Error, Equatable, Sendable {
    /// The file as it was named; nil where there was none.
    package var file: String?
    /// In the order of the text.
    package var problems: [ConfigurationProblem]
    /// Where the journal is, if that much can be read.
    package var journal: String?

    /// For which account it is, if that much can be read.
    package var account: JID?

    package init(
        file: String?, problems: [ConfigurationProblem], journal: String? = nil, account: JID? = nil
    ) {
        self.file = file
        self.journal = journal
        self.account = account
        let ends = TextPosition(line: .max, column: .max)
        self.problems = problems.enumerated()
            .sorted { ($0.element.position ?? ends, $0.offset) < ($1.element.position ?? ends, $1.offset) }
            .map(\.element)
    }

    /// Whether nothing is wrong but that there is no configuration, and nobody named one.
    var isAbsence: Bool {
        problems.contains { if case .noConfiguration = $0.kind { true } else { false } }
    }

    /// One line for each problem, in the form that editors and terminals know: file, line, column, what.
    package var lines: [String] {
        problems.map { problem in
            var line = ""
            if let file { line += file }
            if let position = problem.position { line += ":\(position.line):\(position.column)" }
            if !line.isEmpty { line += ": " }
            if !problem.path.isEmpty {
                line += Self.shown(problem.path) + (problem.variable.map { " (\($0))" } ?? "") + ": "
            }
            return line + problem.sentence
        }
    }

    /// A path may hold a key as the file has it, which can be any text.
    private static func shown(_ path: String) -> String {
        let line = VisibleText.oneLine(path)
        return line.count > 120 ? line.prefix(120) + "…" : line
    }
}
