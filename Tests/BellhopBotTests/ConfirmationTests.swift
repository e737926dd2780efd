import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Really?", .timeLimit(.minutes(1)))
struct ConfirmationTests {
    static func bot(_ diary: Diary = Diary(), _ gate: Gate = Gate()) -> Bot {
        Bot {
            Command("restart", "Restart a unit", Rest("unit")) { _, unit in
                diary.note("restart \(unit)")
                return "restarted \(unit)"
            }.allow(.ops).inline().confirmed()
            Command("deploy", "Roll out") { _ in
                diary.note("deploy")
                return "deployed"
            }.allow(.ops).confirmed(within: .seconds(5))
            Command("bye", "Leave") { _ in "gone" }.open().inline().confirmed()
            Command("slow", "Wait") { _ in try await gate.pass() }.open()
            Command("ping", "Answer pong") { _ in "pong" }.open().inline()
            OnMessage { _ in }.open().inline()
        }
    }

    static func stage(_ bot: Bot = bot(), ledger: MemoryLedger = MemoryLedger()) throws -> Stage {
        try Stage(bot, roles: [RoleDefinition(.ops, [.group("Operators")])], ledger: ledger)
    }

    private let admin = "admin@example.test/desk"
    private static let question = "restart nginx: really? Answer yes within 60 s."
    private static let calledOff = "restart nginx is called off."

    @Test(
        "yes runs it, from any device of the same person", arguments: ["yes", "YES!", "y", " !yes ", "ok", "Yep."],
        ["admin@example.test/desk", "admin@example.test/phone"])
    func yes(answer: String, device: String) throws {
        let diary = Diary()
        let stage = try Self.stage(Self.bot(diary))
        stage.hears("!restart nginx", from: admin)
        #expect(stage.said() == [Self.question])
        #expect(stage.ledger.incoming.map(\.state) == ["received"])
        #expect(diary.entries == [])
        stage.hears(answer, from: device)
        #expect(diary.entries == ["restart nginx"])
        #expect(stage.chat.messages.map(\.to.description) == [device])
        #expect(stage.said() == ["restarted nginx"])
        #expect(stage.ledger.incoming.map(\.state) == ["handled", "handled"])
        #expect(stage.ledger.audit.map(\.outcome) == [.answered])
        #expect(stage.desk.nextDeadline == nil)
        // A second yes is no answer to anything.
        stage.hears("yes", from: admin)
        #expect(stage.said() == ["I don't know yes. !help lists what I can do."])
        #expect(diary.entries.count == 1)
    }

    @Test("when what would run may have changed, the question is called off")
    func changed() throws {
        let diary = Diary()
        let stage = try Self.stage(Self.bot(diary))
        stage.hears("!restart nginx", from: admin)
        stage.desk.callOffAll(because: "reload", at: stage.moment)
        #expect(stage.said() == [Self.question, Self.calledOff])
        stage.hears("yes", from: admin)
        #expect(diary.entries == [])
        #expect(stage.ledger.incoming.first?.reason == "reload")
    }

    @Test("no calls it off", arguments: ["no", "No!", "n", "!nope"])
    func no(answer: String) throws {
        let diary = Diary()
        let stage = try Self.stage(Self.bot(diary))
        stage.hears("!restart nginx", from: admin)
        stage.hears(answer, from: admin)
        #expect(stage.said() == [Self.question, Self.calledOff])
        #expect(stage.ledger.incoming.map(\.state) == ["declined", "handled"])
        #expect(stage.ledger.incoming.map(\.reason) == ["cancelled", nil])
        #expect(stage.ledger.audit.map(\.outcome) == [.cancelled])
        #expect(diary.entries == [])
        #expect(stage.desk.nextDeadline == nil)
    }

    @Test("anything else calls it off and is then what it is")
    func other() throws {
        let diary = Diary()
        let stage = try Self.stage(Self.bot(diary))
        stage.hears("!restart nginx", from: admin)
        stage.hears("ping", from: admin)
        stage.hears("!restart nginx", from: admin)
        stage.hears("yes please", from: admin)
        stage.hears("!restart nginx", from: admin)
        stage.hears("!restart sshd", from: admin)
        stage.hears("yes", from: admin)
        #expect(
            stage.said() == [
                Self.question, Self.calledOff, "pong", Self.question, Self.calledOff,
                "I don't know yes. !help lists what I can do.", Self.question, Self.calledOff,
                "restart sshd: really? Answer yes within 60 s.", "restarted sshd",
            ])
        #expect(diary.entries == ["restart sshd"])
        #expect(Set(stage.ledger.ids.values).count == stage.ledger.ids.count)
    }

    @Test("punctuation and signals without a text are no answer")
    func nothing() throws {
        let stage = try Self.stage()
        stage.hears("!restart nginx", from: admin)
        stage.hears("...", from: admin)
        stage.hears(nil, from: admin, Element("voice", namespace: "urn:example:voice"))
        stage.hears("yes", from: admin)
        #expect(stage.said() == [Self.question, "restarted nginx"])
    }

    @Test("nobody else's yes counts, and others are not kept waiting")
    func others() throws {
        let stage = try Self.stage()
        stage.hears("!restart nginx", from: admin)
        stage.hears("yes", from: "eve@example.test/x")
        stage.hears("ping", from: "eve@example.test/x")
        #expect(stage.said() == [Self.question, "I don't know yes. !help lists what I can do.", "pong"])
        #expect(!stage.desk.isBusy)
        #expect(stage.ledger.audit.map(\.outcome) == [.waiting])
    }

    @Test("without a yes in time it is called off, each command with its own time")
    func late() throws {
        let stage = try Self.stage()
        stage.hears("!restart nginx", from: admin)
        let gina = try JID("gina@else.example")
        stage.chat.roster[gina] = RosterItem(jid: gina, groups: ["Operators"])
        stage.hears("deploy", from: "gina@else.example/x")
        #expect(stage.said() == [Self.question, "deploy: really? Answer yes within 5 s."])
        #expect(stage.desk.nextDeadline == .seconds(1_005))
        stage.pass(.seconds(4))
        #expect(stage.said() == [])
        stage.pass(.seconds(1))
        #expect(stage.said() == ["There was no yes within 5 s, so deploy is called off."])
        #expect(stage.desk.nextDeadline == .seconds(1_060))
        stage.pass(.seconds(55))
        #expect(stage.said() == ["There was no yes within 60 s, so restart nginx is called off."])
        #expect(stage.ledger.incoming.map(\.state) == ["declined", "declined"])
        #expect(stage.ledger.incoming.map(\.reason) == ["not confirmed", "not confirmed"])
        #expect(stage.ledger.audit.map(\.outcome) == [.cancelled, .cancelled])
        #expect(stage.desk.nextDeadline == nil)
    }

    @Test("a handler with a task starts when the yes is committed, and its lane goes on behind it")
    func task() async throws {
        let diary = Diary()
        let stage = try Self.stage(Self.bot(diary))
        stage.hears("deploy", from: admin)
        stage.hears("yes", from: admin)
        stage.hears("ping", from: admin)
        #expect(stage.ledger.incoming.map(\.state) == ["started", "handled", "received"])
        await stage.turn()
        #expect(stage.said() == ["deploy: really? Answer yes within 5 s.", "deployed", "pong"])
        #expect(stage.ledger.incoming.map(\.state) == ["handled", "handled", "handled"])
        #expect(stage.ledger.audit.map(\.outcome) == [.answered])
    }

    @Test("a yes that was sent before the question was asked confirms nothing")
    func early() async throws {
        let (diary, gate) = (Diary(), Gate())
        let stage = try Self.stage(Self.bot(diary, gate))
        stage.hears("slow", from: admin)
        stage.hears("!restart nginx", from: admin)
        stage.hears("yes", from: admin)
        gate.open()
        await stage.turn()
        #expect(stage.said() == [Self.question, Self.calledOff, "I don't know yes. !help lists what I can do."])
        #expect(diary.entries == [])
    }

    @Test("who lost the role between question and yes is refused")
    func revoked() throws {
        let diary = Diary()
        let stage = try Self.stage(Self.bot(diary))
        let gina = try JID("gina@else.example")
        stage.chat.roster[gina] = RosterItem(jid: gina, groups: ["Operators"])
        stage.hears("!restart nginx", from: "gina@else.example/x")
        stage.chat.roster[gina] = RosterItem(jid: gina)
        stage.hears("yes", from: "gina@else.example/x")
        #expect(stage.said() == [Self.question, "Sorry, you may not do that here."])
        #expect(diary.entries == [])
        #expect(stage.ledger.incoming.map(\.state) == ["declined", "handled"])
        #expect(stage.ledger.audit.map(\.outcome) == [.denied])
    }

    @Test("what cannot be run is answered with its usage at once, and not asked about")
    func usage() throws {
        let stage = try Self.stage()
        stage.hears("!restart", from: admin)
        stage.hears("deploy now", from: admin)
        let said = stage.said()
        #expect(said.count == 2)
        #expect(said.allSatisfy { $0.contains("sage: ") && !$0.contains("really") })
        #expect(stage.ledger.incoming.map(\.state) == ["handled", "handled"])
        #expect(stage.ledger.audit.map(\.outcome) == [.failed(code: "usage"), .failed(code: "usage")])
        #expect(stage.desk.nextDeadline == nil)
    }

    @Test("a configuration that is read again between question and yes decides")
    func reloaded() throws {
        let diary = Diary()
        let bot = Self.bot(diary)
        let stage = try Self.stage(bot)
        let gina = try JID("gina@else.example")
        stage.chat.roster[gina] = RosterItem(jid: gina, groups: ["Operators"])
        stage.hears("!restart nginx", from: "gina@else.example/x")
        var settings = stage.desk.settings
        settings.permissions = Permissions(
            admins: [], roles: settings.permissions.roles, overrides: [AccessOverride("restart", .roles([.admins]))])
        stage.desk.apply(settings, bot: bot, at: stage.moment)
        stage.hears("yes", from: "gina@else.example/x")
        #expect(stage.said() == [Self.question, "Sorry, you may not do that here."])
        stage.hears("bye", from: admin)
        stage.desk.apply(settings, bot: Bot {}, at: stage.moment)
        stage.hears("yes", from: admin)
        #expect(stage.said() == ["bye: really? Answer yes within 60 s.", "bye is called off."])
        #expect(diary.entries == [])
        #expect(stage.ledger.incoming.map(\.state) == ["declined", "handled", "declined", "handled"])
    }

    @Test("who may not run it is not even asked")
    func stranger() throws {
        let stage = try Self.stage()
        stage.hears("!restart nginx", from: "eve@evil.example/x")
        stage.hears("yes", from: "eve@evil.example/x")
        #expect(
            stage.said() == ["Sorry, you may not do that here.", "I don't know yes. !help lists what I can do."])
    }

    @Test("what is open can ask, too, and leaves no trace in the audit")
    func open() throws {
        let stage = try Self.stage()
        stage.hears("bye", from: "eve@evil.example/x")
        stage.hears("yes", from: "eve@evil.example/x")
        stage.hears("bye", from: "eve@evil.example/x")
        stage.hears("no", from: "eve@evil.example/x")
        let question = "bye: really? Answer yes within 60 s."
        #expect(stage.said() == [question, "gone", question, "bye is called off."])
        #expect(stage.ledger.audit == [])
    }

    @Test("after a restart a question is gone, and its person is told; what was never asked about is asked now")
    func restart() throws {
        let gate = Gate()
        let first = try Self.stage(Self.bot(Diary(), gate))
        first.hears("!restart nginx", from: admin)
        first.hears("slow", from: "bob@example.test/y")
        first.hears("bye", from: "bob@example.test/y")
        first.desk.close()
        let diary = Diary()
        let second = try Self.stage(Self.bot(diary), ledger: first.ledger)
        second.desk.resume(second.ledger.unfinished() ?? [], at: second.moment)
        #expect(
            second.said() == [
                "I was restarted while \u{201C}!restart nginx\u{201D} waited for a yes, so it is called off. Please send it "
                    + "again if it is still needed.",
                "I was restarted while I worked on \u{201C}slow\u{201D}. If it is still needed, please send it again.",
                "bye: really? Answer yes within 60 s.",
            ])
        #expect(second.ledger.incoming.map(\.state) == ["declined", "interrupted", "received"])
        #expect(second.ledger.incoming.first?.reason == "restart")
        #expect(second.ledger.audit.map(\.outcome) == [.cancelled])
        second.hears("yes", from: admin)
        #expect(diary.entries == [])
        gate.open()
    }

    @Test("questions are bounded: when too many wait, a further command is declined with a sentence")
    func bounded() throws {
        let stage = try Self.stage()
        for number in 0..<ConfirmationBook.capacity { stage.hears("bye", from: "p\(number)@evil.example/x") }
        _ = stage.said()
        stage.hears("bye", from: "late@evil.example/x")
        #expect(stage.said() == ["I cannot take commands at the moment. Please try again later."])
        #expect(stage.ledger.incoming.last?.reason == "too many questions")
        stage.pass(.seconds(60))
        #expect(stage.said().count == ConfirmationBook.capacity)
        stage.hears("bye", from: "late@evil.example/x")
        #expect(stage.said() == ["bye: really? Answer yes within 60 s."])
    }
}
