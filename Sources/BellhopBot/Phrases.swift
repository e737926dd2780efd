internal import BellhopXMPP

/// Every sentence that the desk says to people.
enum Phrases {
    // MARK: To whoever writes

    static func unknownCommand(_ name: String, prefix: String) -> String {
        "I don't know \(shortened(name)). \(prefix)help lists what I can do."
    }

    static let notPermitted = "Sorry, you may not do that here."

    static func usage(_ usage: String, _ problem: ArgumentProblem) -> String {
        switch problem {
        case .missing(let label): "\(label.uppercased()) is missing. Usage: \(usage)"
        case .invalid(let label, let value):
            "\(shortened(value)) does not fit \(label.uppercased()). Usage: \(usage)"
        case .tooMuch: "That is more than I understand. Usage: \(usage)"
        }
    }

    static func failed(code: String) -> String {
        "Something went wrong here. The operator finds it in the log under \(code)."
    }

    static func timedOut(after limit: Duration) -> String {
        "That took longer than \(limit.components.seconds) seconds, so I stopped it."
    }

    static func restarted(_ text: String) -> String {
        "I was restarted while I worked on \u{201C}\(shortened(text))\u{201D}. If it is still needed, please send it again."
    }

    static func stale(_ text: String) -> String {
        "\u{201C}\(shortened(text))\u{201D} reached me too late, so I did not run it. Please send it again if it is still needed."
    }

    static let encrypted = "I cannot read encrypted messages. Please turn encryption off for this chat."
    static let correction = "I do not run edited messages. Please send it as a new one."
    static let full = "I cannot take commands at the moment. Please try again later."
    static let tooManyReplies = "There was more to say than I may send at once; the rest is left out."

    static func tooLong(limit: Int) -> String {
        "That message is too long for me; I read up to \(limit / 1_024) KiB."
    }

    // MARK: Help

    static func builtinHelp(_ builtin: Builtin, prefix: String) -> String {
        switch builtin {
        case .help: "\(prefix)help [COMMAND]: What I can do"
        case .accept: "\(prefix)accept NUMBER | JID | all @DOMAIN: Accept subscription requests"
        case .deny: "\(prefix)deny NUMBER | JID | all @DOMAIN: Deny subscription requests"
        case .requests: "\(prefix)requests: List the subscription requests that wait"
        case .status: "\(prefix)status: How I am: connection, contacts, what waits, the last error"
        case .pause: "\(prefix)pause: Run nothing and answer nobody until resume; what people write is logged and waits"
        case .resume: "\(prefix)resume: Go on after pause; what waited and is not too old runs"
        case .presence: "\(prefix)presence [SHOW [TEXT] | reset]: How contacts see me, like presence away back at 9"
        }
    }

    /// One line for all that only admins have, since they have much.
    static func adminHelp(_ builtins: [Builtin], prefix: String) -> String {
        let names = builtins.map { prefix + $0.rawValue }.joined(separator: ", ")
        return "For admins: \(names). \(prefix)help NAME says more."
    }

    // MARK: To admins

    static func request(_ request: PendingRequest) -> String {
        "request \(request.number): \(request.person). Answer: accept \(request.number) or deny \(request.number)"
    }

    static func digest(_ requests: [PendingRequest]) -> String {
        "\(requests.count) more \(requests.count == 1 ? "request" : "requests"):\n\(list(requests))"
    }

    static func pending(_ requests: [PendingRequest]) -> String {
        requests.isEmpty ? "No requests wait." : list(requests)
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
        case .argumentBehindRest(let command, let argument):
            "The command \"\(command)\" can never read \(argument): an argument before it takes the rest of the text."
        case .severalOtherwise: "A bot has one Otherwise; this one has several."
        case .severalOnMessage: "A bot has one OnMessage; this one has several."
        }
    }

    /// At most ten, so that a flood of requests is one short message.
    private static func list(_ requests: [PendingRequest]) -> String {
        var lines = requests.prefix(10).map { "\($0.number): \($0.person)" }
        if requests.count > 10 { lines.append("and \(requests.count - 10) more") }
        return lines.joined(separator: "\n")
    }

    /// The start of what somebody wrote, on one line.
    static func shortened(_ text: String) -> String {
        let line = text.prefix { !$0.isNewline }
        guard line.count > 60 || line.endIndex < text.endIndex else { return String(line) }
        return line.prefix(60) + "\u{2026}"
    }
}
