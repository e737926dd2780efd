internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopXMPP

/// The sentences in which an operator learns why there is no new account.
enum RegistrationPhrases {
    static let triesLogin = "The name is taken; trying to log in with the password that is there"

    static func sentence(_ failure: RegistrationFailure, account: JID, secrets: SpokenSecrets) -> String {
        let domain = account.domain
        switch failure {
        case .taken:
            return "the name \(account.local ?? "") is taken on \(domain); choose another in account.jid, "
                + "or log in with its password"
        case .notAllowed(let text):
            return
                "\(domain) does not allow this client to register an account\(quoted(text, secrets)); ask its operator for one"
        case .notOffered: return "\(domain) does not let clients register accounts; ask its operator for one"
        case .web(let url, let instructions):
            return
                "\(domain) registers accounts on a web page: \(shown(url, 200, secrets))\(quoted(instructions, secrets))"
        case .moreWanted(let question): return moreWanted(question, domain: domain, secrets)
        case .unanswered:
            return "\(domain) wants more than a name and a password, and nobody answered within "
                + "\(AccountRegistration.patience.seconds) s; nothing was sent, so register can be run again"
        case .badAnswer(let fault): return badAnswer(fault, domain: domain, secrets)
        case .unusableForm: return "\(domain) sent a registration form without a place for name and password"
        case .alreadyRegistered:
            return "what answers for \(domain) says that we are registered already, which a server cannot know before "
                + "the login; check account.server"
        case .tryLater(let text):
            return
                "\(domain) registers no account right now\(quoted(text, secrets)); many servers make one account for an "
                + "address in some minutes: try again later"
        case .notAcceptable(let text, let unanswered):
            let more =
                unanswered.isEmpty
                ? ""
                : "; it also asks for \(list(unanswered, secrets)), which --field NAME=VALUE gives"
            return "\(domain) does not accept this name or this password\(quoted(text, secrets))\(more)"
        case .riddleFailed(let text):
            return "\(domain) does not take what was read in the picture, or it came too late\(quoted(text, secrets)); "
                + "run register again for another picture"
        case .other(let error):
            return
                "\(domain) refused to register the account (\(error.condition.rawValue))\(quoted(error.text, secrets))"
        }
    }

    private static func moreWanted(_ question: RegistrationQuestion, domain: String, _ secrets: SpokenSecrets) -> String
    {
        let fields = question.fields.prefix(20).map { field in
            let name = shown(field.name, 60, secrets)
            return field.label.map { "\(name) (\(shown($0, 80, secrets)))" } ?? name
        }
        let more = question.fields.count > 20 ? " and \(question.fields.count - 20) more" : ""
        let sentence =
            "\(domain) wants more than a name and a password to register an account: "
            + fields.joined(separator: ", ") + more + quoted(question.instructions, secrets)
        if question.isRiddle {
            return sentence
                + "; a picture has to be read while the server waits: run register in a terminal, which asks"
        }
        let example = question.fields.first.map { shown($0.name, 60, secrets) } ?? "NAME"
        let page = question.url.map { ", or register at \(shown($0, 200, secrets))" } ?? ""
        return sentence + "; give it with --field \(example)=VALUE, or run register in a terminal, which asks\(page)"
    }

    private static func badAnswer(_ fault: RegistrationFailure.AnswerFault, domain: String, _ secrets: SpokenSecrets)
        -> String
    {
        switch fault {
        case .unknownField(let name, let known):
            "\(domain) does not ask for \(shown(name, 60, secrets)), so nothing was sent; it asks for "
                + (known.isEmpty ? "name and password only" : "name, password, \(list(known, secrets))")
        case .notAnOption(let field, let options):
            "\(domain) takes for \(shown(field, 60, secrets)) one of these only: \(list(options, secrets)); nothing was sent"
        case .severalValues(let field): "\(domain) takes one value for \(shown(field, 60, secrets)); nothing was sent"
        }
    }

    private static func list(_ words: [String], _ secrets: SpokenSecrets) -> String {
        let some = words.prefix(20).map { shown($0, 60, secrets) }.joined(separator: ", ")
        return words.count > 20 ? some + ", ..." : some
    }

    /// A server's own words, bounded, harmless for a terminal, and without what it was told.
    private static func shown(_ text: String, _ limit: Int, _ secrets: SpokenSecrets) -> String {
        let text = secrets.cut(from: text)
        return VisibleText.oneLine(text.count > limit ? text.prefix(limit) + "…" : text)
    }

    private static func quoted(_ text: String?, _ secrets: SpokenSecrets) -> String {
        guard let text, !text.isEmpty else { return "" }
        return ": \u{201C}\(shown(text, 200, secrets))\u{201D}"
    }
}
