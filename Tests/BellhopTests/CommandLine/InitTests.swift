import BellhopDiagnostics
import BellhopXMPP
import Testing

@testable import Bellhop

/// Answers from a list.
private struct ScriptedPrompter: Prompter {
    var answers: [String]
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
        InitDialog.run(&prompter).map { InitDialog.text($0, passwordFile: "bot.password") }
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
        #expect(InitDialog.run(&prompter) == nil)
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
