internal import BellhopXMPP

/// What a line that was typed at the terminal is: words for the bot, or, behind a slash, something for the terminal.
enum TerminalLine: Equatable {
    /// For the bot; two slashes stand for one at its start.
    case message(String)
    case become(TerminalPerson)
    /// Who is it that speaks?
    case who
    /// Have these roles from now on; none takes them away.
    case roles([String])
    case help
    case quit
    case notAnAddress(String, JIDError)
    /// An address that can be nobody's, because it is a domain.
    case nobody(String)
    case takesNothing(String)
    case unknown(String)

    init(_ line: String) {
        guard line.hasPrefix("/") else {
            self = .message(line)
            return
        }
        guard !line.hasPrefix("//") else {
            self = .message(String(line.dropFirst()))
            return
        }
        let name = String(line.prefix { $0 != " " })
        var rest = line.dropFirst(name.count).drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        switch name {
        case "/as": self = rest.isEmpty ? .who : Self.become(String(rest))
        case "/roles":
            let names = rest.split { $0 == " " || $0 == "," }.map(String.init)
            self = names.isEmpty ? .who : .roles(names == ["none"] ? [] : names)
        case "/help": self = rest.isEmpty ? .help : .takesNothing(name)
        case "/quit": self = rest.isEmpty ? .quit : .takesNothing(name)
        default: self = .unknown(name)
        }
    }

    private static func become(_ text: String) -> TerminalLine {
        do throws(JIDError) {
            let jid = try JID(text)
            return jid.local == nil ? .nobody(text) : .become(try TerminalPerson(jid))
        } catch {
            return .notAnAddress(text, error)
        }
    }
}
