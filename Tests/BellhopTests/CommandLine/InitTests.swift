import BellhopBot
import BellhopDiagnostics
import BellhopXMPP
import Testing

@testable import Bellhop

/// Answers from a list.
private struct ScriptedPrompter: Prompter {
    var answers: [String]
    var isPerson = true
    var said: [String] = []
    var secrets = 0

    mutating func ask(_ question: String) -> String? { answers.isEmpty ? nil : answers.removeFirst() }

    mutating func askSecret(_ question: String) -> String? {
        secrets += 1
        return ask(question)
    }

    mutating func say(_ sentence: String) { said.append(sentence) }
}

@Suite("Init")
struct InitTests {
    private func text(_ prompter: inout ScriptedPrompter) -> String? {
        (try? InitDialog.run(&prompter)).map { InitDialog.text($0, roles: [], passwordFile: "bot.password") }
    }

    @Test("no password is one that register makes, and what is behind it is what it is")
    func noPassword() throws {
        try TemporaryFolder.with { folder in
            let file = folder + "/bot.json"
            var prompter = ScriptedPrompter(answers: ["bot@example.org", "", "admin@example.org"])
            let outcome = InitCommand.run(
                bot: "echobot", file: file, surroundings: FakeSurroundings(), prompter: &prompter)
            #expect(outcome == .writtenWithoutPassword(file))
            #expect(outcome.exitCode == .success)
            #expect(
                outcome.sentence(bot: "echobot")
                    == "Wrote \(file) (readable by you alone). Next: echobot register --config \(file), which makes the "
                    + "password and the account")
            let contents = try SystemFile.read(file, limit: 10_000).get()
            let loader = ConfigurationLoader(
                bot: "echobot", surroundings: FakeSurroundings(files: [file: contents]), makesPassword: true)
            let loaded = try loader.load(file: file).get()
            #expect(loaded.lacksPassword && loaded.namesPassword)
            #expect(loaded.configuration.account.passwordFile == folder + "/bot.password")
            #expect(loaded.configuration.admins.map(\.description) == ["admin@example.org"])
        }
    }

    @Test("the answers become a configuration that is right")
    func right() throws {
        var prompter = ScriptedPrompter(answers: [
            " Bot@Example.org ", "a b#c\"'&<>$\\\\ü", "ann@example.org, bob@example.org",
        ])
        let text = try #require(self.text(&prompter))
        let configuration = try FakeSurroundings().load(text).get().configuration
        #expect(configuration.account.jid.description == "bot@example.org")
        #expect(configuration.account.password.reveal() == "a b#c\"'&<>$\\\\ü")
        #expect(configuration.admins.map(\.description) == ["ann@example.org", "bob@example.org"])
        #expect(prompter.secrets == 1)
        #expect(prompter.said == [])
    }

    @Test("a wrong answer is asked for again, and the password is never said")
    func again() throws {
        var prompter = ScriptedPrompter(answers: ["bot", "bot@example.org", "hunter2", "ann", "ann@example.org"])
        let text = try #require(self.text(&prompter))
        #expect(try FakeSurroundings().load(text).get().configuration.admins.count == 1)
        #expect(
            prompter.said == [
                "\"bot\" has no @; write a whole address, like \"alice@example.org\".",
                "\"ann\" has no @; write a whole address, like \"alice@example.org\".",
            ])
    }

    @Test(
        "who gives up gets no file",
        arguments: [[], ["bot@example.org"], ["x", "y", "z", "bot@example.org"]])
    func givingUp(answers: [String]) {
        var prompter = ScriptedPrompter(answers: answers)
        #expect(throws: InitDialog.Failure.gaveUp) { try InitDialog.run(&prompter) }
    }

    @Test(
        "without a terminal a wrong answer ends it with the usage code, and no line that may be the password is repeated",
        arguments: [
            (
                ["bot", "hunter2", "ann@example.org"], InitDialog.Question.account,
                "The first line is no address like bot@example.org. Without a terminal the lines are the bot's address, "
                    + "its password and the admins; nothing was written."
            ),
            (
                ["hunter2", "bot@example.org", "ann@example.org"], .account,
                "The first line is no address like bot@example.org. Without a terminal the lines are the bot's address, "
                    + "its password and the admins; nothing was written."
            ),
            (
                ["bot@example.org", "", "hunter2", "ann@example.org"], .admins,
                "The third line holds something that is no address of an admin like you@example.org. Without a terminal "
                    + "the lines are the bot's address, its password and the admins; nothing was written."
            ),
        ])
    func refusedWithoutTerminal(answers: [String], question: InitDialog.Question, sentence: String) throws {
        try TemporaryFolder.with { folder in
            let file = folder + "/bot.json"
            var prompter = ScriptedPrompter(answers: answers, isPerson: false)
            let outcome = InitCommand.run(
                bot: "echobot", file: file, surroundings: FakeSurroundings(), prompter: &prompter)
            #expect(outcome == .refused(question))
            #expect(outcome.exitCode == .usage)
            #expect(outcome.sentence(bot: "echobot") == sentence)
            #expect(prompter.said == [])
            #expect(!SystemFile.exists(file))
        }
    }

    private static let lines =
        " Without a terminal the lines are the bot's address, its password and the admins; nothing was written."
    private static let count = " and must have 3, of which the second and the third may be empty."

    @Test(
        "three lines of text are answers, and anything else is refused with the usage code and without a word of it",
        arguments: [
            ("", "Standard input is empty."),
            ("bot@example.org", "Standard input has 1 line" + count),
            ("bot@example.org\nhunter2\n", "Standard input has 2 lines" + count),
            ("bot@example.org\nhunter2\nann@example.org\n\n", "Standard input has 4 lines" + count),
            ("\n\n\n", "The first line is no address like bot@example.org."),
            (
                "bot@example.org\nhunter\u{7}2\n\n",
                "The second line holds a character that no password may hold, like a control character."
            ),
            (
                "bot@example.org\nhunter\r2\n\n",
                "The second line holds a character that no password may hold, like a control character."
            ),
            (
                "bot@example.org\nx\nhunter2\n",
                "The third line holds something that is no address of an admin like you@example.org."
            ),
        ])
    func input(text: String, sentence: String) throws {
        let outcome = try outcome(of: .success(Array(text.utf8)))
        #expect(outcome.sentence(bot: "echobot") == sentence + Self.lines)
        #expect(outcome.exitCode == .usage)
    }

    @Test("input that is no text, or without end, is refused")
    func unusableInput() throws {
        let invalid = try outcome(of: .success(Array("bot@example.org\nhunter".utf8) + [0xFF, 10, 10]))
        #expect(invalid.sentence(bot: "echobot") == "Standard input holds what is no UTF-8 text." + Self.lines)
        #expect(invalid.exitCode == .usage)
        let endless = try outcome(of: SystemFile.read("/dev/zero", limit: InitInput.limit).map(\.bytes))
        #expect(
            endless.sentence(bot: "echobot")
                == "Standard input can't be read: it is larger than 65536 bytes." + Self.lines)
        #expect(endless.exitCode == .usage)
    }

    /// What becomes of this input, which writes no file.
    private func outcome(of input: Result<[UInt8], FileTrouble>) throws -> InitCommand.Outcome {
        try TemporaryFolder.with { folder in
            let file = folder + "/bot.json"
            let outcome = InitCommand.run(bot: "echobot", file: file, surroundings: FakeSurroundings()) { input }
            #expect(!SystemFile.exists(file))
            return outcome
        }
    }

    @Test(
        "the lines may end as on other systems, and begin with the mark of UTF-8",
        arguments: [
            "bot@example.org\nhunter2\nann@example.org\n", "bot@example.org\nhunter2\nann@example.org",
            "\u{FEFF}bot@example.org\r\nhunter2\r\nann@example.org\r\n",
        ])
    func goodInput(text: String) throws {
        try TemporaryFolder.with { folder in
            let file = folder + "/bot.json"
            let outcome = InitCommand.run(bot: "echobot", file: file, surroundings: FakeSurroundings()) {
                .success(Array(text.utf8))
            }
            #expect(outcome == .written(file))
            let contents = try SystemFile.read(file, limit: 10_000).get()
            let loader = ConfigurationLoader(bot: "echobot", surroundings: FakeSurroundings(files: [file: contents]))
            let configuration = try loader.load(file: file).get().configuration
            #expect(configuration.account.jid.description == "bot@example.org")
            #expect(configuration.account.password.reveal() == "hunter2")
            #expect(configuration.admins.map(\.description) == ["ann@example.org"])
        }
    }

    @Test("where there is a file already, nothing is read")
    func inputForAFileThatIsThere() throws {
        try TemporaryFolder.with { folder in
            let file = folder + "/bot.json"
            try SystemFile.create(file, []).get()
            let outcome = InitCommand.run(bot: "echobot", file: file, surroundings: FakeSurroundings()) {
                Issue.record("nobody needs that")
                return .success([])
            }
            #expect(outcome == .exists(file))
        }
    }

    @Test("a password that cannot be one is asked for again")
    func passwordAgain() throws {
        var prompter = ScriptedPrompter(answers: ["bot@example.org", "a\u{7}b", "hunter2", ""])
        let text = try #require(self.text(&prompter))
        #expect(try FakeSurroundings().load(text).get().configuration.account.password.reveal() == "hunter2")
        #expect(prompter.said == ["That holds a character that no password may hold, like a control character."])
    }

    @Test("the admins get the roles of the bot's code, so that it starts")
    func roles() throws {
        try TemporaryFolder.with { folder in
            let file = folder + "/bot.json"
            let bot = Bot {
                Command("disk", "") { _ in "" }.allow(.ops)
                Command("page", "") { _ in "" }.allow("night-shift", .ops, .admins)
            }
            var prompter = ScriptedPrompter(answers: ["bot@example.org", "x", "ann@example.org bob@example.org"])
            let outcome = InitCommand.run(
                bot: "opsbot", file: file, roles: bot.declaration.roles, surroundings: FakeSurroundings(),
                prompter: &prompter)
            #expect(outcome == .written(file))
            let contents = try SystemFile.read(file, limit: 10_000).get()
            let loader = ConfigurationLoader(
                bot: "opsbot", surroundings: FakeSurroundings(files: [file: contents]), declaration: bot.declaration)
            let loaded = try loader.load(file: file).get()
            #expect(loaded.notes == [])
            #expect(loaded.configuration.roles.map(\.role) == [.ops, "night-shift"])
            for role in loaded.configuration.roles {
                #expect(role.members.map(\.description) == ["ann@example.org", "bob@example.org"])
            }
        }
    }

    @Test("where nobody is an admin, it says what the roles of the bot's code still need")
    func rolesOfNobody() throws {
        try TemporaryFolder.with { folder in
            let file = folder + "/bot.json"
            var prompter = ScriptedPrompter(answers: ["bot@example.org", "x", ""])
            let outcome = InitCommand.run(
                bot: "opsbot", file: file, roles: ["ops"], surroundings: FakeSurroundings(), prompter: &prompter)
            #expect(outcome == .written(file, lacking: ["ops"]))
            #expect(
                outcome.sentence(bot: "opsbot").hasSuffix(
                    ". The bot starts once somebody has the role ops: add \"roles\": {\"ops\": [\"you@example.org\"]} "
                        + "to the file"))
        }
    }

    @Test("nobody has to be an admin")
    func noAdmins() throws {
        var prompter = ScriptedPrompter(answers: ["bot@example.org", "x"])
        let text = try #require(self.text(&prompter))
        #expect(try FakeSurroundings().load(text).get().configuration.admins.isEmpty)
    }

    @Test("the file is made with mode 0600 in folders of its own, and never a second time")
    func file() throws {
        try TemporaryFolder.with { folder in
            let file = folder + "/deep/er/bot.json"
            var prompter = ScriptedPrompter(answers: ["bot@example.org", "hunter2", ""])
            let first = InitCommand.run(
                bot: "echobot", file: file, surroundings: FakeSurroundings(), prompter: &prompter)
            #expect(first == .written(file))
            #expect(first.exitCode == .success)
            #expect(first.sentence(bot: "echobot").contains("echobot check --online --config \(file)"))
            let contents = try SystemFile.read(file, limit: 10_000).get()
            #expect(contents.mode == 0o600)
            var other = ScriptedPrompter(answers: ["x@example.org", "y", ""])
            let second = InitCommand.run(bot: "echobot", file: file, surroundings: FakeSurroundings(), prompter: &other)
            #expect(second == .exists(file))
            #expect(second.exitCode == .cannotCreate)
            #expect(other.answers.count == 3)
            #expect(try SystemFile.read(file, limit: 10_000).get() == contents)
            let loader = ConfigurationLoader(bot: "echobot", surroundings: FakeSurroundings(files: [file: contents]))
            #expect(try loader.load(file: file).get().configuration.account.password.reveal() == "hunter2")
        }
    }

    @Test("without a home there is no place to write to")
    func homeless() {
        var prompter = ScriptedPrompter(answers: [])
        let outcome = InitCommand.run(
            bot: "echobot", file: nil, surroundings: FakeSurroundings(variables: [:]), prompter: &prompter)
        #expect(outcome == .noPlace)
    }
}
