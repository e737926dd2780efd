internal import BellhopXMPP

/// Every sentence that the desk says to people.
package enum Phrases {
    // MARK: To whoever writes

    static func unknownCommand(_ name: String, prefix: String, suggestion: String? = nil) -> String {
        let guess = suggestion.map { " Did you mean \(prefix)\($0)?" } ?? ""
        return "I don't know \(shortened(name)).\(guess) \(prefix)help lists what I can do."
    }

    static let notPermitted = "Sorry, you may not do that here."

    static func usage(_ usage: String, _ problem: ArgumentProblem) -> String {
        "\(sentence(problem))\nUsage: \(usage)"
    }

    private static func sentence(_ problem: ArgumentProblem) -> String {
        switch problem {
        case .missing(let argument):
            if case .choice = argument.kind {
                "\(name(argument)) is missing: \(expected(argument))."
            } else {
                "\(name(argument)) is missing."
            }
        case .unfit(let argument, let given):
            // A text is always what its kind wants; a type of the author's that refuses it did not say why.
            if argument.kind == .text && argument.expectation == nil {
                "\(quoted(given)) does not fit \(name(argument))."
            } else {
                "\(name(argument)) must be \(expected(argument)), not \(quoted(given))."
            }
        case .outOfRange(let argument, let given): "\(quoted(given)) is too large a number for \(name(argument))."
        case .tooMuch(let text): "\(quoted(text)) is more than I understand."
        }
    }

    private static func name(_ argument: ArgumentDescription) -> String { argument.label.uppercased() }

    private static func expected(_ argument: ArgumentDescription) -> String {
        if let expectation = argument.expectation { return expectation }
        return switch argument.kind {
        case .text: "a word, or several in quotes"
        case .integer: "a whole number"
        case .number: "a number like 2.5"
        case .flag: "yes or no"
        case .choice(let choices): "one of \(choices.joined(separator: ", "))"
        case .rest: "a text"
        }
    }

    static let address = "an address like name@example.org"

    static func failed(code: String) -> String {
        "Something went wrong here. The operator finds it in the log under \(code)."
    }

    static func timedOut(after limit: Duration) -> String {
        "That took longer than \(limit.components.seconds) seconds, so I stopped it."
    }

    static func restarted(_ text: String) -> String {
        "I was restarted while I worked on \(quoted(text)). If it is still needed, please send it again."
    }

    static func stale(_ text: String) -> String {
        "\(quoted(text)) reached me too late, so I did not run it. Please send it again if it is still needed."
    }

    static let encrypted = "I cannot read encrypted messages. Please turn encryption off for this chat."
    static let correction = "I do not run edited messages. Please send it as a new one."
    static let full = "I cannot take commands at the moment. Please try again later."
    static let tooManyReplies = "There was more to say than I may send at once; the rest is left out."

    static func tooLong(limit: Int) -> String {
        "That message is too long for me; I read up to \(limit / 1_024) KiB."
    }

    // MARK: Help

    static func help(_ argument: ArgumentDescription) -> String {
        var facts = [argument.kind == .rest ? "all that follows" : expected(argument)]
        if argument.repeats { facts.append("once or more") }
        switch argument.requirement {
        case .required: break
        case .optional, .defaulted(""): facts.append("optional")
        case .defaulted(let text): facts.append("default \(shortened(text))")
        }
        let accepted = facts.joined(separator: "; ")
        return argument.help.isEmpty
            ? "\(name(argument)): \(accepted)" : "\(name(argument)): \(argument.help) (\(accepted))"
    }

    static func builtinHelp(_ builtin: Builtin, prefix: String) -> String {
        switch builtin {
        case .help: "\(prefix)help [COMMAND]: What I can do"
        case .whoami: "\(prefix)whoami: As whom I know you"
        case .accept: "\(prefix)accept NUMBER | JID | all @DOMAIN: Accept subscription requests"
        case .deny: "\(prefix)deny NUMBER | JID | all @DOMAIN: Deny subscription requests"
        case .requests: "\(prefix)requests: List the subscription requests that wait"
        case .status: "\(prefix)status: How I am: connection, contacts, what waits, the last error"
        case .pause: "\(prefix)pause: Run nothing and answer nobody until resume; what people write is logged and waits"
        case .resume: "\(prefix)resume: Go on after pause; what waited and is not too old runs"
        case .reload: "\(prefix)reload: Read the configuration again; a wrong one changes nothing"
        case .presence: "\(prefix)presence [SHOW [TEXT] | reset]: How contacts see me, like presence away back at 9"
        case .why: "\(prefix)why JID COMMAND: Whether somebody may run a command, and what decides it"
        case .audit: "\(prefix)audit [N]: The last runs of what is not open to everybody"
        }
    }

    // MARK: To admins

    static func request(_ request: PendingRequest) -> String {
        "request \(request.number): \(request.person). Answer: accept \(request.number) or deny \(request.number)"
    }

    static func digest(_ requests: [PendingRequest]) -> String {
        "\(requests.count) more \(requests.count == 1 ? "request" : "requests"):\n\(list(requests))"
    }

    static func pending(_ requests: [PendingRequest]) -> String {
        requests.isEmpty ? "No request is waiting." : list(requests)
    }

    static func answered(_ requests: [PendingRequest], accepted: Bool) -> String {
        let word = accepted ? "accepted" : "denied"
        guard requests.count == 1, let request = requests.first else {
            return "\(requests.count) requests \(word)."
        }
        return "request \(request.number) (\(request.person)) \(word)."
    }

    static func answeredByOther(_ requests: [PendingRequest], accepted: Bool, by who: String) -> String {
        answered(requests, accepted: accepted).dropLast() + " by \(who)."
    }

    static func alreadyAnswered(_ number: Int, accepted: Bool, by who: String) -> String {
        "request \(number) was already \(accepted ? "accepted" : "denied") by \(who)."
    }

    static let noSuchRequest = "No such request waits; requests lists those that do."

    static func requestUsage(_ builtin: Builtin) -> String {
        let verb = builtin.rawValue
        return "Which? Like: \(verb) 7, \(verb) carol@else.example or \(verb) all @else.example"
    }

    static func circle(_ person: JID) -> String {
        "\(person.bareText) and I were answering each other in circles. I say nothing to it until it says something new."
    }

    // MARK: To the author, at start

    static func problem(_ problem: BotProblem) -> String {
        switch problem {
        case .invalidName(let name):
            "The command name \"\(name)\" cannot be typed: it must start with a letter or digit and hold no white space."
        case .reservedName(let name): "The command name \"\(name)\" is built in; choose another."
        case .duplicateName(let name): "Two commands are called \"\(name)\"; upper and lower case are the same."
        case .emote(let name): "The command \"\(name)\" cannot stand behind the prefix /, because /me is an emote."
        case .argument(let label, let command, let mistake):
            "The argument \"\(label)\" of the command \"\(command)\" \(clause(mistake))."
        case .openAndAllowed(let name):
            "\"\(name)\" is open to everybody and allowed to roles at once; leave one of .open() and .allow() out."
        case .severalOtherwise: "A bot has one Otherwise; this one has several."
        case .severalOnMessage: "A bot has one OnMessage; this one has several."
        }
    }

    /// What is wrong with an argument, to stand behind its name.
    package static func clause(_ mistake: ArgumentMistake) -> String {
        switch mistake {
        case .badLabel: "needs a label of its own without white space"
        case .behindRest: "can never be read: the one before it takes the rest of the text"
        case .requiredBehindOptional: "must be optional, too, because the one before it may be left out"
        case .noChoices: "has no choices"
        case .sameChoices(let one, let other):
            "has the choices \"\(one)\" and \"\(other)\", which are the same to whoever types them"
        case .unfitDefault(let text): "has the default \"\(text)\", which it would not accept"
        }
    }

    /// At most ten, so that a flood of requests is one short message.
    private static func list(_ requests: [PendingRequest]) -> String {
        var lines = requests.prefix(10).map { "\($0.number): \($0.person)" }
        if requests.count > 10 { lines.append("and \(requests.count - 10) more") }
        return lines.joined(separator: "\n")
    }

    static func quoted(_ text: String) -> String { "\u{201C}\(shortened(text))\u{201D}" }

    /// The start of what somebody wrote, on one line; a single letter may carry thousands of marks.
    static func shortened(_ text: String) -> String {
        let line = text.prefix { !$0.isNewline }
        var start = line.prefix(60)
        if start.utf8.count > 240 { start = Substring(start.unicodeScalars.prefix(60)) }
        return start.endIndex < text.endIndex ? start + "\u{2026}" : String(start)
    }
}
