import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("What admins ask of the bot itself")
struct OperatingTests {
    private final class Teller: Steward {
        let status = "online since noon"
        func rereadConfiguration(_ answered: @escaping @Sendable (String) -> Void) { answered("read again") }
        func examine(_ answered: @escaping @Sendable (String) -> Void) {
            answered((1...200).map { "finding \($0)" }.joined(separator: "\n"))
        }
    }

    static let usage =
        "Show what? Like: presence away back at 9, or presence reset. There are available, away, chat, dnd and xa."

    @Test("status is the house's to tell, and only to admins")
    func status() throws {
        let stage = try Stage(Bot {})
        let teller = Teller()
        stage.hears("status", from: PauseTests.admin)
        stage.desk.steward = teller
        stage.hears("!status", from: PauseTests.admin)
        stage.hears("status of the build?", from: PauseTests.admin)
        stage.hears("!status")
        #expect(
            stage.said() == [
                "There is no connection here of which I could tell.", "online since noon",
                "status takes nothing behind it; I did nothing.", "Sorry, you may not do that here.",
            ])
    }

    @Test("what came of reading the configuration again is said when it is known, and only to admins")
    func reload() async throws {
        let stage = try Stage(Bot {})
        let teller = Teller()
        stage.hears("reload", from: PauseTests.admin)
        stage.desk.steward = teller
        stage.hears("reload")
        stage.hears("reload", from: PauseTests.admin)
        #expect(
            stage.said() == [
                "There is no configuration here that I could read again.", "Sorry, you may not do that here.",
            ])
        await stage.turn()
        #expect(stage.said() == ["read again"])
    }

    @Test("what an examination finds is said when it is known, only to admins, and what is long waits for more")
    func doctor() async throws {
        let stage = try Stage(Bot {}) { $0.output = OutputLimits(characters: 500, messages: 1) }
        let teller = Teller()
        stage.hears("doctor", from: PauseTests.admin)
        stage.desk.steward = teller
        stage.hears("doctor")
        stage.hears("doctor now", from: PauseTests.admin)
        stage.hears("doctor", from: PauseTests.admin)
        #expect(
            stage.said() == [
                "There is no connection here of which I could tell.", "Sorry, you may not do that here.",
                "doctor takes nothing behind it; I did nothing.",
            ])
        await stage.turn()
        let first = try #require(stage.said().first)
        #expect(first.hasPrefix("finding 1\nfinding 2\n") && first.count <= 500)
        #expect(first.contains("more"))
        stage.hears("more", from: PauseTests.admin)
        #expect(stage.said().first?.contains("\nfinding 50\n") == true)
    }

    @Test("presence is shown, changed and set back as admins say")
    func presence() throws {
        let stage = try Stage(Bot {}) { $0.availability = Availability(show: .chat, status: "at work", priority: 5) }
        let long = String(repeating: "z", count: 501)
        let exchanges: [(said: String, answer: String, shown: [String])] = [
            ("presence", "Contacts see chat: at work", []),
            ("presence away back at 9", "Contacts see away: back at 9", ["show away back at 9"]),
            ("!presence  DND ", "Contacts see dnd", ["show dnd -"]),
            ("presence online", "Contacts see available", ["show available -"]),
            ("presence reset", "Contacts see chat: at work", ["show chat at work"]),
            ("presence invisible", Self.usage, []),
            ("presence back at 9", Self.usage, []),
            ("presence reset now", Self.usage, []),
            ("presence xa \(long)", "That text is too long for a status; 500 bytes are the most.", []),
            ("presence xa \(long.dropLast())", "Contacts see xa: \(long.dropLast())", ["show xa \(long.dropLast())"]),
        ]
        for (said, answer, shown) in exchanges {
            stage.hears(said, from: PauseTests.admin)
            #expect(stage.said() == [answer], "\(said)")
            #expect(stage.did() == shown, "\(said)")
        }
        stage.hears("presence away")
        #expect(stage.said() == ["Sorry, you may not do that here."])
        #expect(stage.did().isEmpty)
    }

    @Test("a paused bot shows that it is, and what was asked for meanwhile when it goes on")
    func whilePaused() throws {
        let stage = try Stage(Bot {})
        stage.hears("pause", from: PauseTests.admin)
        #expect(stage.did() == ["keep back", "show dnd Paused"])
        _ = stage.said()
        stage.hears("presence away back at 9", from: PauseTests.admin)
        #expect(
            stage.said() == ["I am paused, and contacts see dnd: Paused. When I am resumed they see away: back at 9"])
        #expect(stage.did().isEmpty)
        stage.hears("resume", from: PauseTests.admin)
        #expect(stage.did().first == "show away back at 9")
    }

    @Test(
        "each has its line of help, for admins",
        arguments: [Builtin.status, .doctor, .pause, .resume, .reload, .presence])
    func help(builtin: Builtin) throws {
        let stage = try Stage(Bot {})
        stage.hears("help \(builtin.rawValue)", from: PauseTests.admin)
        stage.hears("help \(builtin.rawValue)")
        let said = stage.said()
        #expect(said.first == Phrases.builtinHelp(builtin, prefix: "!"))
        #expect(said.last == "I don't know \(builtin.rawValue). !help lists what I can do.")
    }

    @Test(
        "a bot cannot have a command of such a name",
        arguments: ["status", "doctor", "Pause", "resume", "reload", "presence"])
    func reserved(name: String) {
        #expect(Bot { Command(name, "") { _ in "x" } }.problems() == [.reservedName(name)])
    }

    @Test("what is built in is heard at once while a handler of the same conversation runs")
    func overtakes() async throws {
        let gate = Gate()
        let stage = try Stage(
            Bot {
                Command("slow", "") { _ in
                    try await gate.pass()
                    return "slow"
                }
            })
        stage.hears("slow", from: PauseTests.admin)
        stage.hears("presence", from: PauseTests.admin)
        #expect(stage.said() == ["Contacts see available"])
        gate.open()
        await stage.turn()
        #expect(stage.said() == ["slow"])
    }
}
