import Bellhop

extension Command {
    /// Who is on call: shows the note, or writes another.
    static func onCall(on machine: Machine) -> Command {
        Command(
            "oncall", "Who is on call", Arg<OnCallAction?>("action", "what to do; nothing shows the note"),
            Rest("text", "the new note", default: "")
        ) { context, action, text in
            let author = "\(context.sender.bare)"
            return try OnCallAction.perform(
                action, text, in: context.stateFolder, by: author, at: machine.clock())
        }.allow(.ops).idempotent()
    }
}

/// What can be done with the note.
enum OnCallAction: String, CaseIterable, ArgumentValue {
    case set, clear

    static func perform(
        _ action: OnCallAction?, _ text: String, in folder: String, by author: String, at time: String
    ) throws -> String {
        switch action {
        case nil: return try OnCallNote.read(in: folder)?.report ?? "Nobody wrote down who is on call: oncall set TEXT"
        case .set?:
            guard !text.isEmpty else { throw Failure("What should the note say? oncall set TEXT") }
            try OnCallNote(text: text, author: author, time: time).write(in: folder)
            return "Noted."
        case .clear?:
            guard text.isEmpty else {
                throw Failure("oncall clear takes no text; oncall set TEXT writes another note.")
            }
            try OnCallNote(text: "", author: author, time: time).write(in: folder)
            return "The note is gone."
        }
    }
}
