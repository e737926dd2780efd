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
        "\(quoted(text)) reached me too late, so I did not run it, nor what else came as late. "
            + "Please send again what is still needed."
    }

    static let encrypted = "I cannot read encrypted messages. Please turn encryption off for this chat."
    static let correction = "I do not run edited messages. Please send it as a new one."
    static let full = "I cannot take commands at the moment. Please try again later."
    static let tooManyReplies = "There was more to say than I may send at once; the rest is left out."

    static func tooLong(limit: Int) -> String {
        "That message is too long for me; I read up to \(limit / 1_024) KiB."
    }

    // MARK: Long answers

    /// The last line of a message behind which an answer goes on; `left` is about how many characters that are.
    static func more(_ left: Int, prefix: String) -> String {
        "\u{2026} about \(rounded(left)) more \(left == 1 ? "character" : "characters"). \(prefix)more shows what follows."
    }

    /// The room that `more` needs with the empty line in front of it, whatever the number and the prefix.
    static let moreSize = TextSize(characters: 80, bytes: 120)

    static func nothingMore(_ period: Duration) -> String {
        "I have nothing more to show you. What follows of a long answer I keep for \(minutes(period)), until the next long "
            + "answer, and not over a restart."
    }

    static let restNotKept = "That was all I kept; the answer was longer still."

    static let tooManyWait =
        "Too many of your messages wait already, so I do not take this one. Please send it again when they are answered."

    static let restTooLong = "\u{2026} That is all that I can send at once; the text was longer still."

    static let payloadTooLarge = "A part of this message was too large for the server, so it is missing."

    // MARK: Cancelling

    static func cancelled(_ text: String, waiting: Int, isMore: Bool) -> String {
        let stopped = "I stopped \u{201C}\(shortened(text))\u{201D}."
        guard waiting > 0 else { return stopped }
        let count = (isMore ? "At least " : "") + messages(waiting)
        return "\(stopped) \(count) of yours \(waiting == 1 && !isMore ? "waits" : "wait") behind it and "
            + "\(waiting == 1 && !isMore ? "is" : "are") next; cancel all drops them, too."
    }

    static func cancelledAll(_ text: String, dropped: Int) -> String {
        let stopped = "I stopped \u{201C}\(shortened(text))\u{201D}"
        return dropped == 0 ? stopped + "." : "\(stopped) and dropped \(messages(dropped)) that waited behind it."
    }

    static let nothingToCancel = "Nothing of yours is running."

    static func cancelledFor(_ person: JID, _ command: String, dropped: Int) -> String {
        let stopped = "I stopped \(command), which ran for \(person.bareText)"
        return dropped == 0 ? stopped + "." : "\(stopped), and dropped \(messages(dropped)) that waited behind it."
    }

    static func nothingToCancel(for person: JID) -> String { "Nothing of \(person.bareText) is running." }

    static func cancelledByAdmin(_ text: String, dropped: Int) -> String {
        let stopped = "An admin stopped \u{201C}\(shortened(text))\u{201D}"
        return dropped == 0 ? stopped + "." : "\(stopped) and dropped \(messages(dropped)) that waited behind it."
    }

    static let cancelUsage = "Cancel what? Like: cancel, or cancel all"
    static let cancelUsageForAdmins =
        "Cancel what? Like: cancel, cancel all, cancel carol@else.example or cancel carol@else.example all"

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
        case .more: "\(prefix)more: What follows of a long answer"
        case .cancel: "\(prefix)cancel [all]: Stop what I am doing for you"
        case .whoami: "\(prefix)whoami: As whom I know you"
        case .accept: "\(prefix)accept NUMBER | JID | all @DOMAIN: Accept subscription requests"
        case .deny: "\(prefix)deny NUMBER | JID | all @DOMAIN: Deny subscription requests"
        case .requests: "\(prefix)requests: List the subscription requests that wait"
        case .outbox:
            "\(prefix)outbox [retry | drop NUMBER | all]: What I could not send yet, and what came back; send it again, or not"
        case .status: "\(prefix)status: How I am: connection, contacts, what waits, the last error"
        case .doctor:
            "\(prefix)doctor: What of my server, my journal and my disk is right, and what to do where it is not"
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

    static func trouble(_ trouble: Trouble) -> String {
        switch trouble {
        case .handlerFailing(let name, let times):
            "\(name) failed \(times) times in a row. The log says why."
        case .journalHeld(let reason):
            "The journal cannot be written (\(reason)). I go on and keep what is said in memory; if I am killed now, messages "
                + "may be lost or answered twice. Please see to the disk."
        case .journalRecovered:
            "The journal can be written again, and what I kept in memory is in it now."
        case .certificateEnding(let domain, let end, let days):
            "The certificate of \(domain) ends in \(days == 1 ? "1 day" : "\(days) days"), on \(end.description.prefix(10)). Please renew it on "
                + "the server; I cannot log in with one that has expired."
        case .loginsRefused(let times, let since, let reason):
            "Logins were refused \(times == 1 ? "once" : "\(times) times") since \(minute(since)), the last time because "
                + "\(reason)."
        case .outage(let duration, let reason):
            "I was offline for \(hoursAndMinutes(duration)): \(reason)."
        }
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

    private static func messages(_ count: Int) -> String { count == 1 ? "1 message" : "\(count) messages" }

    private static func minutes(_ period: Duration) -> String {
        let minutes = period.components.seconds / 60
        return minutes == 1 ? "1 minute" : "\(minutes) minutes"
    }

    private static func minute(_ moment: Timestamp) -> String {
        let text = moment.description
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }

    private static func hoursAndMinutes(_ duration: Duration) -> String {
        let minutes = duration.components.seconds / 60
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// Two digits are enough for what is only about right.
    private static func rounded(_ number: Int) -> String {
        var (scale, head) = (1, number)
        while head >= 100 { (scale, head) = (scale * 10, head / 10) }
        return "\(number < 1_000 ? number : head * scale)"
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
