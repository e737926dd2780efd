import BellhopEngine
import BellhopXMPP
import Testing

@testable import BellhopClient

@Suite("Why there is no new account")
struct RegistrationPhrasesTests {
    private static let question = RegistrationQuestion(
        instructions: "Ask\nus", url: "https://d.test/join",
        fields: [.init(name: "email", label: "Your address"), .init(name: "nick")])
    private static let riddle = RegistrationQuestion(
        url: "https://d.test/1.png", fields: [.init(name: "ocr", isInPicture: true)])

    @Test(
        "each reason has its sentence, which says what to do; a server's words are on one line and in quotes",
        arguments: [
            (
                .taken,
                "the name bot is taken on example.org; choose another in account.jid, or log in with its password"
            ),
            (
                .notAllowed(text: "go\u{1b}[0m"),
                "example.org does not allow this client to register an account: \u{201C}go\\u{1b}[0m\u{201D}; ask its "
                    + "operator for one"
            ),
            (.notOffered, "example.org does not let clients register accounts; ask its operator for one"),
            (
                .web(url: "https://d.test/join", instructions: "Go there"),
                "example.org registers accounts on a web page: https://d.test/join: \u{201C}Go there\u{201D}"
            ),
            (
                .moreWanted(question),
                "example.org wants more than a name and a password to register an account: email (Your address), nick: "
                    + "\u{201C}Ask\\nus\u{201D}; give it with --field email=VALUE, or run register in a terminal, which "
                    + "asks, or register at https://d.test/join"
            ),
            (
                .moreWanted(riddle),
                "example.org wants more than a name and a password to register an account: ocr; a picture has to be "
                    + "read while the server waits: run register in a terminal, which asks"
            ),
            (
                .unanswered,
                "example.org wants more than a name and a password, and nobody answered within 120 s; nothing was sent, "
                    + "so register can be run again"
            ),
            (
                .badAnswer(.unknownField("mail", known: ["email"])),
                "example.org does not ask for mail, so nothing was sent; it asks for name, password, email"
            ),
            (
                .badAnswer(.unknownField("mail", known: [])),
                "example.org does not ask for mail, so nothing was sent; it asks for name and password only"
            ),
            (
                .badAnswer(.notAnOption(field: "plan", options: ["a", "b"])),
                "example.org takes for plan one of these only: a, b; nothing was sent"
            ),
            (.badAnswer(.severalValues(field: "plan")), "example.org takes one value for plan; nothing was sent"),
            (.unusableForm, "example.org sent a registration form without a place for name and password"),
            (
                .alreadyRegistered,
                "what answers for example.org says that we are registered already, which a server cannot know before the "
                    + "login; check account.server"
            ),
            (
                .tryLater(text: nil),
                "example.org registers no account right now; many servers make one account for an address in some "
                    + "minutes: try again later"
            ),
            (
                .notAcceptable(text: "weak", unanswered: ["email", "nick"]),
                "example.org does not accept this name or this password: \u{201C}weak\u{201D}; it also asks for email, "
                    + "nick, which --field NAME=VALUE gives"
            ),
            (.notAcceptable(text: nil, unanswered: []), "example.org does not accept this name or this password"),
            (
                .riddleFailed(text: nil),
                "example.org does not take what was read in the picture, or it came too late; run register again for "
                    + "another picture"
            ),
            (
                .other(StanzaError(.gone, text: "x")),
                "example.org refused to register the account (gone): \u{201C}x\u{201D}"
            ),
        ] as [(RegistrationFailure, String)])
    func sentences(failure: RegistrationFailure, sentence: String) throws {
        #expect(
            RegistrationPhrases.sentence(
                failure, account: try JID("bot@example.org"), secrets: SpokenSecrets([])) == sentence)
    }

    @Test("however much a server says, the sentence stays short")
    func bounds() throws {
        let long = String(repeating: "x", count: 10_000)
        let field = RegistrationQuestion.Field(name: long, label: long)
        let many = RegistrationQuestion(
            instructions: long, url: long, fields: [RegistrationQuestion.Field](repeating: field, count: 100))
        for failure in [
            RegistrationFailure.moreWanted(many), .notAllowed(text: long), .web(url: long, instructions: long),
            .notAcceptable(text: long, unanswered: [String](repeating: long, count: 100)),
            .badAnswer(.unknownField(long, known: [String](repeating: long, count: 100))),
        ] {
            let sentence = RegistrationPhrases.sentence(
                failure, account: try JID("bot@example.org"), secrets: SpokenSecrets([]))
            #expect(sentence.count < 4_000)
        }
    }
}
