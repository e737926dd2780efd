internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopXMPP

/// What the terminal, and not the bot, says to the person at the keyboard.
enum TerminalPhrases {
    static func greeting(_ program: String) -> String {
        "You are talking to \(program). Type help to see what it can do, /help for what the terminal can, Ctrl-D to leave.\n"
    }

    static func prompt(_ person: TerminalPerson) -> String {
        person.jid.bareText == TerminalPerson.usual ? "> " : "\(VisibleText.oneLine(person.jid.bareText))> "
    }

    static func speaks(_ person: TerminalPerson, roles: [Role]) -> String {
        let which =
            switch roles.count {
            case 0: "no role"
            case 1: "the role \(list(roles))"
            default: "the roles \(list(roles))"
            }
        return "You are \(VisibleText.oneLine(person.jid.description)), with \(which).\n"
    }

    static func noSuchRole(_ name: String, known: [Role]) -> String {
        "There is no role \(shown(name)); there \(known.count == 1 ? "is" : "are") \(list(known)).\n"
    }

    private static func list(_ roles: [Role]) -> String {
        roles.map { VisibleText.oneLine($0.name) }.joined(separator: ", ")
    }

    static let help = """
        /as JID      be this person from now on; /as \(TerminalPerson.usual) is who you were at first
        /as          who you are
        /roles NAME  have this role, or these, besides those of the configuration; /roles none takes them away
        /quit        leave, like Ctrl-D
        //TEXT       say /TEXT to the bot
        Everything else goes to the bot.

        """

    /// What is wrong with a line; nil where nothing is.
    static func trouble(_ line: TerminalLine) -> String? {
        switch line {
        case .message, .become, .who, .roles, .help, .quit: nil
        case .notAnAddress(let text, let error): "\(shown(text)) is no address: \(error).\n"
        case .nobody(let text): "\(shown(text)) has no @; write a whole address, like \"alice@example.org\".\n"
        case .takesNothing(let name): "\(name) takes nothing behind it.\n"
        case .unknown(let name):
            "The terminal has no \(shown(name)); /help lists what it has. "
                + "To say it to the bot, write a second slash in front.\n"
        }
    }

    private static func shown(_ text: String) -> String {
        let line = VisibleText.oneLine(text)
        return "\"\(line.count > 80 ? line.prefix(80) + "…" : line[...])\""
    }
}
