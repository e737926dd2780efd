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
            ("/as ", .who), ("/as x.example", .nobody("x.example")),
            ("/as @x", .notAnAddress("@x", .emptyPart(.local))), ("/help", .help), ("/help as", .takesNothing("/help")),
            ("/quit", .quit), ("/quit now", .takesNothing("/quit")), ("/", .unknown("/")), ("/AS x@y", .unknown("/AS")),
            ("/me waves", .unknown("/me")),
        ]
        for (line, expected) in cases { #expect(TerminalLine(line) == expected, "\(line)") }
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
        #expect(TerminalPhrases.speaks(usual, isAdmin: true) == "You are you@terminal/tty, an admin.\n")
        #expect(TerminalPhrases.speaks(mallory, isAdmin: false) == "You are mallory@x.example/tty, no admin.\n")
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
