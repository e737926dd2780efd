internal import BellhopEngine
internal import BellhopXMPP

/// The sentences in which an operator learns why there is no new account.
enum RegistrationPhrases {
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
        case .web(let url): return "\(domain) registers accounts on a web page: \(url.prefix(200))"
        case .captcha: return "\(domain) wants a riddle solved to register an account; register with a chat client"
        case .moreWanted(let fields):
            return "\(domain) wants more than a name and a password to register an account: "
                + fields.map { String($0.prefix(40)) }.joined(separator: ", ")
        case .unusableForm: return "\(domain) sent a registration form without a place for name and password"
        case .tryLater(let text): return "\(domain) registers no account right now\(quoted(text)); try again later"
        case .notAcceptable(let text): return "\(domain) does not accept this name or this password\(quoted(text))"
        case .other(let error):
            return "\(domain) refused to register the account (\(error.condition.rawValue))\(quoted(error.text))"
        }
    }

    private static func quoted(_ text: String?) -> String {
        guard let text, !text.isEmpty else { return "" }
        return ": \u{201C}\(text.prefix(200))\u{201D}"
    }
}
