internal import BellhopXMPP

/// What the desk says about who may run what.
extension Phrases {
    static let rosterUnknown = "I do not know yet who may do that. Please send it again in a moment."

    // MARK: Really?

    static func really(_ command: String, within limit: Duration) -> String {
        "\(shortened(command)): really? Answer yes within \(limit.components.seconds) s."
    }

    static func calledOff(_ command: String) -> String { "\(shortened(command)) is called off." }

    static func unanswered(_ command: String, after limit: Duration) -> String {
        "There was no yes within \(limit.components.seconds) s, so \(shortened(command)) is called off."
    }

    static func forgotten(_ text: String) -> String {
        "I was restarted while \u{201C}\(shortened(text))\u{201D} waited for a yes, so it is called off. "
            + "Please send it again if it is still needed."
    }

    // MARK: whoami and why

    static func whoami(_ person: JID, roles: [Role]) -> String {
        switch roles.count {
        case 0: "You are \(person.bareText), and have no role here."
        case 1: "You are \(person.bareText), with the role \(roles[0])."
        default: "You are \(person.bareText), with the roles \(list(roles.map(\.name), "and"))."
        }
    }

    static let whyUsage = "Who, and what? Like: why alice@x.example uptime"

    /// What was decided, what decided it, and what would change it.
    static func explanation(_ decision: AccessDecision) -> String {
        let who = decision.person?.bareText ?? "Somebody whose address is not known"
        let may = decision.isAllowed ? "may" : "may not"
        return "\(who) \(may) run \(decision.policy.command). \(ground(decision)) \(remedy(decision.change))"
    }

    private static func ground(_ decision: AccessDecision) -> String {
        switch decision.rule {
        case .open(.configuration(let path)): "\(path) opens it to everybody."
        case .open(.code): "It is declared open in the bot's code."
        case .open(.builtin): "It is built in and open to everybody."
        case .admin: "\(decision.rule) lets them run everything."
        case .member(_, _, let member): "\(decision.rule) (\(member)) lets them."
        case .notAmong(let source), .unidentified(let source): closed(source, decision.policy.audience)
        }
    }

    private static func closed(_ source: AccessPolicy.Source, _ audience: Audience) -> String {
        var names: [String] = []
        if case .roles(let roles) = audience { names = roles.filter { $0 != .admins }.map(\.name) }
        let whom =
            names.isEmpty ? "admins alone" : "admins and the role\(names.count == 1 ? "" : "s") \(list(names, "and"))"
        switch source {
        case .configuration(let path): return "\(path) is for \(whom)."
        case .code: return "The bot's code allows it to \(whom)."
        case .builtin: return "It is built in and for \(whom)."
        }
    }

    private static func remedy(_ change: AccessChange) -> String {
        switch change {
        case .close(let command): return "An \"allow\" in commands.access.\(command) would change that."
        case .remove(let rules):
            let paths = list(rules.map(\.description), "and")
            return rules.count == 1 ? "Without \(paths) they could not." : "Only without \(paths) they could not."
        case .join(let roles):
            let paths = roles.map { $0 == .admins ? "admins" : "roles.\($0)" }
            return "An entry for them in \(list(paths, "or")) would change that."
        case .identify(let command):
            return "A room that shows their address would change that, or \"open\" in commands.access.\(command)."
        }
    }

    // MARK: audit

    static let auditUsage = "How many? Like: audit 20"

    /// One line an entry, so that fifty of them are one message.
    static func audited(_ entries: [AuditEntry]) -> String {
        entries.isEmpty
            ? "Nothing was run yet that is not open to everybody." : entries.map(line).joined(separator: "\n")
    }

    private static func line(_ entry: AuditEntry) -> String {
        let time = entry.at.description.prefix(16)
        let typed = entry.typed.isEmpty ? entry.command : shortened(entry.typed)
        return "\(time)Z \(entry.person.bareText): \(typed): \(outcome(entry)), \(entry.rule)"
    }

    private static func outcome(_ entry: AuditEntry) -> String {
        let word = entry.outcome.code.map { "\(entry.outcome.word) \($0)" } ?? entry.outcome.word
        return entry.duration.map { "\(word) after \(milliseconds($0)) ms" } ?? word
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds.multipliedReportingOverflow(by: 1_000).partialValue &+ attoseconds / 1_000_000_000_000_000
    }

    /// `a`, `a and b`, `a, b and c`.
    private static func list(_ words: [String], _ last: String) -> String {
        guard let final = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(last) " + final
    }
}

extension AccessDecision {
    /// In sentences: what was decided, what decided it, and what would change it.
    package var explanation: String { Phrases.explanation(self) }
}
