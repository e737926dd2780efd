import Testing

@testable import BellhopBot

@Suite("Mistakes in declared arguments")
struct ArgumentMistakeTests {
    enum Empty: String, CaseIterable, ArgumentValue {
        // A choice of nothing: an enum with cases that its author forgot to list.
        case one
        static var allCases: [Empty] { [] }
    }
    enum Dashes: String, CaseIterable, ArgumentValue { case short = "-v", long = "--V" }

    @Test("every mistake is listed, in the order of the arguments")
    func listed() {
        let bot = Bot {
            Command(
                "good", "", Arg<String>("unit"), Arg<Int>("grace", default: 5), Arg<Bool?>("force"),
                Rest("why", default: "")
            ) { _, _, _, _, _ in "x" }
            Command("one", "", Rest("text"), Arg<String>("name"), Arg<String>("")) { _, _, _, _ in "x" }
            Command("two", "", Arg<[Int]>("numbers"), Arg<Int>("NUMBERS")) { _, _, _ in "x" }
            Command("three", "", Arg<Int?>("n"), Arg<String>("name"), Arg<String>("two words")) { _, _, _, _ in "x" }
            Command("four", "", Arg<Empty>("empty"), Arg<Dashes>("dashes")) { _, _, _ in "x" }
            Command("five", "", Arg<Double>("rate", default: .infinity)) { _, _ in "x" }
        }
        #expect(
            bot.problems() == [
                .argument("name", of: "one", .behindRest),
                .argument("", of: "one", .badLabel),
                .argument("NUMBERS", of: "two", .badLabel),
                .argument("NUMBERS", of: "two", .behindRest),
                .argument("name", of: "three", .requiredBehindOptional),
                .argument("two words", of: "three", .badLabel),
                .argument("empty", of: "four", .noChoices),
                .argument("dashes", of: "four", .sameChoices("-v", "--V")),
                .argument("rate", of: "five", .unfitDefault("inf")),
            ])
    }

    @Test("arguments that are declared at run time are checked the same")
    func atRunTime() {
        let mistakes = ArgumentDescription.mistakes(in: [
            ArgumentDescription("unit", .choice(["nginx", "Nginx"])),
            ArgumentDescription("grace", .integer, requirement: .defaulted("soon")),
            ArgumentDescription("list", .integer, requirement: .defaulted("1 2"), repeats: true),
        ])
        #expect(mistakes.map(\.place) == [0, 1])
        #expect(mistakes.map(\.mistake) == [.sameChoices("nginx", "Nginx"), .unfitDefault("soon")])
    }

    @Test(
        "a mistake is a sentence for the author",
        arguments: [
            (ArgumentMistake.badLabel, "needs a label of its own without white space"),
            (.behindRest, "can never be read: the one before it takes the rest of the text"),
            (.requiredBehindOptional, "must be optional, too, because the one before it may be left out"),
            (.noChoices, "has no choices"),
            (.sameChoices("a", "A"), #"has the choices "a" and "A", which are the same to whoever types them"#),
            (.unfitDefault("soon"), #"has the default "soon", which it would not accept"#),
        ])
    func sentences(mistake: ArgumentMistake, clause: String) {
        let sentence = "\(BotProblem.argument("unit", of: "restart", mistake))"
        #expect(sentence == "The argument \"unit\" of the command \"restart\" \(clause).")
    }
}
