/// What a command is called, what it is for and what it takes: its usage and its help come from this.
package struct CommandDescription: Sendable, Equatable {
    package let name: String
    package let summary: String
    package let arguments: [ArgumentDescription]

    package init(name: String, summary: String, arguments: [ArgumentDescription]) {
        self.name = name
        self.summary = summary
        self.arguments = arguments
    }

    /// How it is typed, like `!restart UNIT [GRACE]`.
    package func usage(prefix: String) -> String {
        prefix + ([name] + arguments.map(\.usage)).joined(separator: " ")
    }

    /// One line for a list of commands.
    package func line(prefix: String) -> String {
        summary.isEmpty ? usage(prefix: prefix) : "\(usage(prefix: prefix)): \(summary)"
    }

    /// That line, and one for each argument.
    package func help(prefix: String) -> String {
        ([line(prefix: prefix)] + arguments.map(Phrases.help)).joined(separator: "\n")
    }
}

extension ArgumentDescription {
    /// The label in capitals; three points where several may be given, brackets where none must be.
    var usage: String {
        let label = label.uppercased() + (repeats ? "..." : "")
        return isRequired ? label : "[\(label)]"
    }
}
