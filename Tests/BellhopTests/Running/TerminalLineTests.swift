import BellhopBot
import BellhopXMPP
import Testing

@testable import Bellhop

@Suite("Lines at the terminal")
struct TerminalLineTests {
    @Test("what is for the bot goes there, and what is for the terminal does not")
    func lines() throws {
        let mallory = try TerminalPerson(try JID("mallory@x.example"))
        let cases: [(String, TerminalLine)] = [
            ("", .message("")), ("hello", .message("hello")), (" /as x", .message(" /as x")),
            ("//etc", .message("/etc")), ("//", .message("/")), ("///", .message("//")),
            ("/as mallory@x.example", .become(mallory)), ("/as  Mallory@X.example", .become(mallory)), ("/as", .who),
            ("/as ", .who), ("/roles", .who), ("/roles  ops, deploy", .roles(["ops", "deploy"])),
            ("/roles none", .roles([])), ("/as x.example", .nobody("x.example")),
            ("/as @x", .notAnAddress("@x", .emptyPart(.local))), ("/help", .help), ("/help as", .takesNothing("/help")),
            ("/quit", .quit), ("/quit now", .takesNothing("/quit")), ("/", .unknown("/")), ("/AS x@y", .unknown("/AS")),
            ("/me waves", .unknown("/me")),
        ]
        for (line, expected) in cases { #expect(TerminalLine(line) == expected, "\(line)") }
    }

    @Test("roles are played besides those of the configuration, by the person who speaks, until they are taken away")
    func cast() throws {
        let usual = try JID(TerminalPerson.usual)
        let mallory = try TerminalPerson(try JID("mallory@x.example"))
        let bot = Bot { Command("deploy", "") { _ in "done" }.allow(.ops) }
        let settings = DeskSettings(
            account: try JID("bot@terminal"), admins: [usual],
            roles: [RoleDefinition("night", [.pattern(try JIDPattern("x.example"))])])
        var cast = TerminalCast(settings, bot: bot, person: try TerminalPerson(usual))
        #expect(cast.known == [.admins, "night", .ops])
        #expect(cast.roles == [.admins])
        cast.person = mallory
        #expect(cast.roles == ["night"])
        #expect(cast.play(["ops", "cooks"]) == "cooks")
        #expect(cast.roles == ["night"])
        #expect(cast.play(["ops"]) == nil)
        #expect(cast.roles == ["night", .ops])
        #expect(cast.play(["admins"]) == nil)
        #expect(cast.roles == [.admins, "night"])
        cast.person = try TerminalPerson(try JID("bob@y.example"))
        #expect(cast.roles.isEmpty)
        cast.person = mallory
        #expect(cast.play([]) == nil)
        #expect(cast.roles == ["night"])
    }

    @Test("a person without a resource gets one, and one with a resource keeps it")
    func resources() throws {
        #expect(try TerminalPerson(try JID("a@b")).jid.description == "a@b/tty")
        #expect(try TerminalPerson(try JID("a@b/phone")).jid.description == "a@b/phone")
    }

    @Test("the terminal says what is wrong, who one is, and who speaks")
    func words() throws {
        let usual = try TerminalPerson(try JID(TerminalPerson.usual))
        let mallory = try TerminalPerson(try JID("mallory@x.example"))
        #expect(TerminalPhrases.prompt(usual) == "> ")
        #expect(TerminalPhrases.prompt(mallory) == "mallory@x.example> ")
        #expect(
            TerminalPhrases.speaks(usual, roles: [.admins, .ops])
                == "You are you@terminal/tty, with the roles admins, ops.\n")
        #expect(TerminalPhrases.speaks(usual, roles: [.ops]) == "You are you@terminal/tty, with the role ops.\n")
        #expect(TerminalPhrases.speaks(mallory, roles: []) == "You are mallory@x.example/tty, with no role.\n")
        #expect(
            TerminalPhrases.noSuchRole("x\n", known: [.admins, .ops])
                == "There is no role \"x\\n\"; there are admins, ops.\n")
        #expect(
            TerminalPhrases.trouble(TerminalLine("/slap \u{1B}x"))
                == "The terminal has no \"/slap\"; /help lists what it has. "
                + "To say it to the bot, write a second slash in front.\n")
        #expect(
            TerminalPhrases.trouble(TerminalLine("/as @x\u{7}"))
                == "\"@x\\u{7}\" is no address: nothing stands before the @.\n")
        #expect(TerminalPhrases.trouble(TerminalLine("/help me")) == "/help takes nothing behind it.\n")
        #expect(TerminalPhrases.trouble(TerminalLine("hello")) == nil)
    }
}
