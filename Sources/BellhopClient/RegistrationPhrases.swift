internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopXMPP

/// The sentences in which an operator learns why there is no new account.
enum RegistrationPhrases {
    static let triesLogin = "The name is taken; trying to log in with the password that is there"

    static func sentence(_ failure: RegistrationFailure, account: JID) -> String {
        let domain = account.domain
        switch failure {
        case .taken:
            return "the name \(account.local ?? "") is taken on \(domain); choose another in account.jid, "
                + "or log in with its password"
        case .notAllowed(let text):
            return
                "\(domain) does not allow this client to register an account\(quoted(text)); ask its operator for one"
        case .notOffered: return "\(domain) does not let clients register accounts; ask its operator for one"
        case .web(let url, let instructions):
            return "\(domain) registers accounts on a web page: \(shown(url, 200))\(quoted(instructions))"
        case .moreWanted(let question): return moreWanted(question, domain: domain)
        case .unanswered:
            return "\(domain) wants more than a name and a password, and nobody answered within "
                + "\(AccountRegistration.patience.seconds) s; nothing was sent, so register can be run again"
        case .badAnswer(let fault): return badAnswer(fault, domain: domain)
        case .unusableForm: return "\(domain) sent a registration form without a place for name and password"
        case .alreadyRegistered:
            return "what answers for \(domain) says that we are registered already, which a server cannot know before "
                + "the login; check account.server"
        case .tryLater(let text):
            return "\(domain) registers no account right now\(quoted(text)); many servers make one account for an "
                + "address in some minutes: try again later"
        case .notAcceptable(let text, let unanswered):
            let more =
                unanswered.isEmpty
                ? ""
                : "; it also asks for \(list(unanswered)), which --field NAME=VALUE gives"
            return "\(domain) does not accept this name or this password\(quoted(text))\(more)"
        case .riddleFailed(let text):
            return "\(domain) does not take what was read in the picture, or it came too late\(quoted(text)); "
                + "run register again for another picture"
        case .other(let error):
            return "\(domain) refused to register the account (\(error.condition.rawValue))\(quoted(error.text))"
        }
    }

    private static func moreWanted(_ question: RegistrationQuestion, domain: String) -> String {
        let fields = question.fields.prefix(20).map { field in
            let name = shown(field.name, 60)
            return field.label.map { "\(name) (\(shown($0, 80)))" } ?? name
        }
        let more = question.fields.count > 20 ? " and \(question.fields.count - 20) more" : ""
        let sentence =
            "\(domain) wants more than a name and a password to register an account: "
            + fields.joined(separator: ", ") + more + quoted(question.instructions)
        if question.isRiddle {
            return sentence
                + "; a picture has to be read while the server waits: run register in a terminal, which asks"
        }
        let example = question.fields.first.map { shown($0.name, 60) } ?? "NAME"
        let page = question.url.map { ", or register at \(shown($0, 200))" } ?? ""
        return sentence + "; give it with --field \(example)=VALUE, or run register in a terminal, which asks\(page)"
    }

    private static func badAnswer(_ fault: RegistrationFailure.AnswerFault, domain: String) -> String {
        switch fault {
        case .unknownField(let name, let known):
            "\(domain) does not ask for \(shown(name, 60)), so nothing was sent; it asks for "
                + (known.isEmpty ? "name and password only" : "name, password, \(list(known))")
        case .notAnOption(let field, let options):
            "\(domain) takes for \(shown(field, 60)) one of these only: \(list(options)); nothing was sent"
        case .severalValues(let field): "\(domain) takes one value for \(shown(field, 60)); nothing was sent"
        }
    }

    private static func list(_ words: [String]) -> String {
        let some = words.prefix(20).map { shown($0, 60) }.joined(separator: ", ")
        return words.count > 20 ? some + ", ..." : some
    }

    /// A server's own words, bounded and harmless for a terminal.
    private static func shown(_ text: String, _ limit: Int) -> String {
        VisibleText.oneLine(text.count > limit ? text.prefix(limit) + "…" : text)
    }

    private static func quoted(_ text: String?) -> String {
        guard let text, !text.isEmpty else { return "" }
        return ": \u{201C}\(shown(text, 200))\u{201D}"
    }
}
