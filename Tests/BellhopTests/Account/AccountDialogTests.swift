import Bellhop
import BellhopEngine
import BellhopXMPP
import Testing

/// Answers from a list, and keeps what it was asked.
private struct ScriptedPrompter: Prompter {
    var answers: [String]
    var heard: [String] = []
    let isPerson = true

    init(_ answers: [String]) { self.answers = answers }

    mutating func ask(_ question: String) -> String? {
        heard.append(question)
        return answers.isEmpty ? nil : answers.removeFirst()
    }

    mutating func askSecret(_ question: String) -> String? { ask("(hidden) " + question) }

    mutating func say(_ sentence: String) { heard.append(sentence) }
}

@Suite("Questions about an account")
struct AccountDialogTests {
    private static let form = RegistrationQuestion(
        instructions: "Welcome\u{1b}[2J", url: "https://example.org/join",
        fields: [
            .init(name: "email", label: "Your\naddress"), .init(name: "plan", options: ["a", "b"]),
            .init(name: "pin", isSecret: true), .init(name: "topics", takesSeveral: true),
        ])

    @Test("each field is asked by its label and name, words of the server cannot move the cursor")
    func fields() {
        var prompter = ScriptedPrompter(["a@b", "c", "b", "12", "x", "y", ""])
        let answers = RegistrationDialog.run(Self.form, picture: nil, domain: "example.org", &prompter)
        #expect(answers == ["email": ["a@b"], "plan": ["b"], "pin": ["12"], "topics": ["x", "y"]])
        #expect(
            prompter.heard == [
                "example.org wants to know more before it makes the account.",
                "It says: \u{201C}Welcome\\u{1b}[2J\u{201D}", "More is at https://example.org/join",
                "Your\\naddress [email]: ", "plan (a, b): ", "Only one of these is taken: a, b.", "plan (a, b): ",
                "(hidden) pin: ", "topics: ", "One more, or nothing: ", "One more, or nothing: ",
            ])
    }

    @Test(
        "who gives nothing three times, or ends the input, gives up",
        arguments: [["", "", "", "x"], ["c", "d", "e"], []])
    func givesUp(answers: [String]) {
        var prompter = ScriptedPrompter(answers.first == "c" ? ["a@b"] + answers : answers)
        #expect(RegistrationDialog.run(Self.form, picture: nil, domain: "example.org", &prompter) == nil)
    }

    @Test(
        "where the picture is to be seen is said",
        arguments: [
            ("http://h/1", "/tmp/p.png", "The picture is at http://h/1 and in /tmp/p.png."),
            ("http://h/1", nil, "The picture is at http://h/1"), (nil, "/tmp/p.png", "The picture is in /tmp/p.png."),
            (nil, nil, "It sent no picture that can be shown."),
        ] as [(String?, String?, String)])
    func picture(url: String?, file: String?, sentence: String) {
        let question = RegistrationQuestion(url: url, fields: [.init(name: "ocr", isInPicture: true)])
        var prompter = ScriptedPrompter(["7nHL3"])
        #expect(
            RegistrationDialog.run(question, picture: file, domain: "d", &prompter) == ["ocr": ["7nHL3"]])
        #expect(prompter.heard.contains(sentence))
    }

    @Test(
        "an account is removed only if the person says yes and types its address",
        arguments: [
            (["yes", "bot@example.org"], true), (["Y", " Bot@Example.org "], true), (["no"], false), ([], false),
            (["yes"], false), (["yes", "yes"], false), (["yes", "bot@example.com"], false),
            (["yes", "bot@example.org/x"], false), (["", "bot@example.org"], false),
        ])
    func removal(answers: [String], isConfirmed: Bool) throws {
        var prompter = ScriptedPrompter(answers)
        #expect(RemovalDialog.confirms(try JID("bot@example.org"), &prompter) == isConfirmed)
    }
}
