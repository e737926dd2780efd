package import BellhopBot
package import BellhopDiagnostics

extension Configuration {
    /// A command that the configuration alone declares: a program that is run.
    package struct ProgramCommand: Equatable, Sendable {
        package var name: String
        package var help = ""
        package var run: ProgramTemplate
        package var arguments: [ProgramArgument] = []
        package var pass = ProgramPass.argv
        /// The variables that the program gets besides `PATH`, `HOME` and `LANG`.
        package var environment: [String: Secret] = [:]
        package var folder: String?
        /// Nil for `commands.timeout`.
        package var timeLimit: Duration?
        /// In bytes.
        package var outputLimit = 65_536
        /// Who may run it; nil is everybody.
        package var roles: [Role]? = []
        package var isIdempotent = false
        package var isConfirmed = false

        package init(name: String, run: ProgramTemplate) {
            self.name = name
            self.run = run
        }
    }

    /// An argument of such a command.
    package struct ProgramArgument: Equatable, Sendable {
        package var description: ArgumentDescription
        /// What the value has to fit besides its kind.
        package var pattern: TextPattern?

        package init(_ description: ArgumentDescription, pattern: TextPattern? = nil) {
            self.description = description
            self.pattern = pattern
        }

        /// The variable that hands it to a program.
        var variable: String {
            "BELLHOP_ARG_" + description.label.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
        }
    }

    /// How a program gets what a person wrote.
    package enum ProgramPass: String, Sendable, CaseIterable {
        case argv, environment, json
    }
}
