internal import BellhopBot

/// A command of `commands.list` while it is read.
struct ProgramDraft: Equatable, Sendable {
    var name: String?
    var help: String?
    var run: [String]?
    var arguments: [Configuration.ProgramArgument] = []
    var pass = Configuration.ProgramPass.argv
    var environment: [VariableDraft] = []
    var folder: String?
    var timeLimit: Duration?
    var outputLimit = 65_536
    var allowed: [AccessDraft.Mention]?
    var isOpen: Bool?
    var isIdempotent = false
    var isConfirmed = false
}

/// A variable of a program, whose value still has to be fetched.
struct VariableDraft: Equatable, Sendable {
    var name: String
    var source: SecretSource
    var position: TextPosition
}

/// A command of `commands.list` that is right in itself: roles, files and secrets still have to be looked up.
struct ProgramEntry: Equatable, Sendable {
    var command: Configuration.ProgramCommand
    /// Counted from 0, in the list.
    var place: Int
    var position: TextPosition
    var variables: [VariableDraft]
    var allowed: [AccessDraft.Mention]

    var path: String { "commands.list[\(place)]" }
}

/// An argument of such a command while it is read.
struct ProgramArgumentDraft: Equatable, Sendable {
    var name: String?
    var kind = Kind.text
    var choices: [String]?
    var fallback: String?
    var isOptional = false
    var help: String?
    var pattern: TextPattern?

    enum Kind: String, Sendable, CaseIterable { case text, integer, number, flag, choice, rest }
}
