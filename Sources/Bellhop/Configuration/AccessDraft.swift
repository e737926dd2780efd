internal import BellhopBot
internal import BellhopDiagnostics

/// What `commands.access` says of one command, while it is read: the roles still have to be looked up.
struct AccessDraft: Sendable, Equatable {
    var command: String
    /// Where the command's name stands.
    var position: TextPosition
    var isOpen: Bool
    var allowed: [Mention]

    /// A role where it is named.
    struct Mention: Sendable, Equatable {
        var role: Role
        var position: TextPosition
    }

    /// Whether both say the same, wherever it stands: a comment above it is no change.
    static func == (a: AccessDraft, b: AccessDraft) -> Bool { a.override == b.override }

    var override: AccessOverride { AccessOverride(command, isOpen ? .everybody : .roles(allowed.map(\.role))) }
}

/// The value of one command in `commands.access`, while it is read.
struct AccessParts: Sendable {
    var allowed: [AccessDraft.Mention]?
    var isOpen: Bool?
}
