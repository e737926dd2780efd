import BellhopDiagnostics
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopClient
@testable import BellhopTestServer

@Suite("Clocks that do not agree")
struct ClockTests {
    /// What a server whose clock is ahead by so much shows.
    private static func time(_ lead: Duration) -> Timestamp { Timestamp(milliseconds: WallClock.milliseconds()) + lead }

    private func online(lead: Duration?, _ script: (OnlineBot) async throws -> Void) async throws {
        try await OnlineBot.running(
            server: { options in
                if let lead { options.time = { Self.time(lead).description } }
            }, script: script)
    }

    /// Somebody's message that the server kept for so long, by its own clock.
    private func late(_ body: String, by age: Duration, lead: Duration) -> String {
        "<message from='alice@example.test/phone' to='\(BotConfiguration.bound)' type='chat'><body>\(body)</body>"
            + "<delay xmlns='urn:xmpp:delay' from='bots.example.test' stamp='\(Self.time(lead - age))'/></message>"
    }

    @Test(
        "the age of a late message is counted by the server's clock, whatever ours shows",
        arguments: [-86_400, -600, -30, 0, 30, 600, 86_400])
    func age(lead: Int) async throws {
        let lead = Duration.seconds(lead)
        try await online(lead: lead) { online in
            online.wire.connection.send(late("!echo young", by: .seconds(20), lead: lead))
            try await online.wire.expect(body: "young")
            online.wire.connection.send(late("!echo old", by: .seconds(200), lead: lead))
            try await online.wire.expect("a word about the old one") {
                $0.body?.contains("reached me too late") == true
            }
            try await online.wire.settle(online.bot)
            #expect(online.bot.standard.runs.list.map(\.arguments) == ["young"])
        }
    }

    @Test("a server that does not know the time leaves it to our clock")
    func unknown() async throws {
        try await online(lead: nil) { online in
            online.wire.connection.send(late("!echo young", by: .seconds(20), lead: .zero))
            try await online.wire.expect(body: "young")
            online.wire.connection.send(late("!echo old", by: .seconds(200), lead: .zero))
            try await online.wire.settle(online.bot)
            #expect(online.bot.standard.runs.list.map(\.arguments) == ["young"])
            #expect(!online.bot.sink.lines.contains { $0.event == "clock" })
        }
    }

    @Test(
        "a clock that is off by more than a minute is told of once, with the side on which it is",
        arguments: [(600, " behind that "), (-600, " ahead of that "), (50, nil), (-50, nil)] as [(Int, String?)])
    func told(lead: Int, words: String?) async throws {
        try await online(lead: .seconds(lead)) { online in
            online.wire.connection.drop()
            let wire = try await online.reconnected()
            try await wire.settle()
            let told = online.bot.sink.lines.filter { $0.event == "clock" }
            #expect(told.count == (words == nil ? 0 : 1), "\(told)")
            for line in told {
                #expect(line.level == .warning)
                #expect(line.message.contains(words ?? ""), "\(line.message)")
            }
        }
    }

    @Test("the sentences about clocks and sleep, word for word")
    func sentences() {
        #expect(
            ClockPhrases.off(.seconds(600))
                == "The clock of this machine is 10 min ahead of that of the server; the age of late messages is counted by "
                + "the server's. Set this clock (timedatectl), or that of the server if it is the wrong one")
        #expect(ClockPhrases.off(.seconds(-3_661)).contains(" is 1 h 1 min behind that of the server; "))
        #expect(ClockPhrases.right == "The clock of this machine agrees with that of the server again")
        #expect(
            ClockPhrases.slept(.seconds(172_805))
                == "The bot did not run for 2 d: the process was stopped or the machine slept. Commands that waited "
                + "meanwhile are not run, and their senders are told")
        #expect(
            [0, 59, 60, 3_600, 86_399].map { ClockPhrases.span(.seconds($0)) } == [
                "0 s", "59 s", "1 min", "1 h", "23 h 59 min",
            ])
    }
}
