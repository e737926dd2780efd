import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("The audit", .timeLimit(.minutes(1)))
struct AuditTests {
    static func bot(_ gate: Gate = Gate()) -> Bot {
        Bot {
            Command("ping", "Answer pong") { _ in "pong" }.open().inline()
            Command("wait", "Open and slow") { _ in try await gate.pass() }.open()
            Command("now", "Quick") { _ in "now" }.allow(.ops).inline()
            Command("slow", "Slow") { _ in
                try await gate.pass()
                return "slow"
            }.allow(.ops)
            Command("fail", "Throw") { _ -> String in throw Mishap() }.allow(.ops).inline()
            Command("sorry", "Throw kindly") { _ -> String in throw Failure("No.") }.allow(.ops)
            Command("need", "Needs a word", Arg<String>("word")) { _, word in word }.allow(.ops).inline()
            OnMessage { _ in "heard" }.allow(.ops).inline()
        }
    }

    static func stage(_ bot: Bot = bot(), ledger: MemoryLedger = MemoryLedger()) throws -> Stage {
        try Stage(bot, roles: [RoleDefinition(.ops, [.pattern(try JIDPattern("olga@example.test"))])], ledger: ledger)
    }

    private let olga = "olga@example.test/phone"

    @Test("each run of what is not open is noted with who, what, when, by which rule, and what became of it")
    func outcomes() async throws {
        let stage = try Self.stage()
        stage.hears("now", from: olga)
        stage.hears("!FAIL", from: olga)
        stage.hears("need", from: olga)
        stage.hears("now", from: "admin@example.test/desk")
        stage.hears("now", from: "eve@evil.example/x")
        stage.hears("requests", from: "admin@example.test/desk")
        stage.hears("requests", from: olga)
        stage.hears("sorry", from: olga)
        await stage.turn()
        let shown = stage.ledger.audit.map { entry in
            "\(entry.row) \(entry.person) \(entry.command) [\(entry.typed)] \(entry.rule) \(entry.outcome.word) "
                + "\(entry.outcome.code ?? "-") \(entry.duration.map { "\($0)" } ?? "-")"
        }
        #expect(
            shown == [
                "1 olga@example.test now [now] roles.ops[0] answered - 0.0 seconds",
                "3 olga@example.test fail [!FAIL] roles.ops[0] failed E3 0.0 seconds",
                "5 olga@example.test need [need] roles.ops[0] failed usage 0.0 seconds",
                "7 admin@example.test now [now] admins[0] answered - 0.0 seconds",
                "9 eve@evil.example now [now] declared in the bot's code denied - -",
                "11 admin@example.test requests [requests] admins[0] answered - 0.0 seconds",
                "13 olga@example.test requests [requests] built in, for admins denied - -",
                "15 olga@example.test sorry [sorry] roles.ops[0] failed - 0.0 seconds",
            ])
        #expect(stage.ledger.audit.allSatisfy { $0.at == stage.moment.clock })
    }

    @Test("what is open leaves no trace, whoever runs it and however it ends")
    func open() async throws {
        let gate = Gate()
        let stage = try Self.stage(Self.bot(gate))
        for body in ["ping", "help", "whoami", "nonsense", "!!"] { stage.hears(body, from: olga) }
        stage.hears("wait", from: olga)
        gate.open()
        await stage.turn()
        #expect(stage.ledger.audit == [])
    }

    @Test("a run with a task is noted as it starts, and ends with its duration")
    func task() async throws {
        let gate = Gate()
        let stage = try Self.stage(Self.bot(gate))
        stage.hears("slow", from: olga)
        #expect(stage.ledger.audit.map(\.outcome) == [.started])
        #expect(stage.ledger.audit.map(\.duration) == [nil])
        stage.pass(.milliseconds(1_250))
        gate.open()
        await stage.turn()
        #expect(stage.ledger.audit.map(\.outcome) == [.answered])
        #expect(stage.ledger.audit.map(\.duration) == [.milliseconds(1_250)])
    }

    @Test("a run that is stopped at its limit, or cut off by a restart, says so")
    func stopped() throws {
        let stage = try Self.stage()
        stage.hears("slow", from: olga)
        stage.pass(.seconds(30))
        #expect(stage.ledger.audit.map(\.outcome) == [.timedOut])
        #expect(stage.ledger.audit.map(\.duration) == [.seconds(30)])
        stage.hears("slow", from: olga)
        let next = try Self.stage(ledger: stage.ledger)
        next.desk.resume(next.ledger.unfinished() ?? [], at: next.moment)
        #expect(next.ledger.audit.map(\.outcome) == [.timedOut, .interrupted])
        stage.desk.close()
    }

    @Test("a signal without a text that nobody may send is noted, and not answered")
    func payload() throws {
        let stage = try Self.stage()
        stage.hears(nil, from: "eve@evil.example/x", Element("voice", namespace: "urn:example:voice"))
        stage.hears(nil, from: olga, Element("voice", namespace: "urn:example:voice"))
        #expect(stage.said() == ["heard"])
        #expect(stage.ledger.audit.map(\.command) == ["OnMessage", "OnMessage"])
        #expect(stage.ledger.audit.map(\.outcome) == [.denied, .answered])
    }

    @Test("admins read the last runs in the chat, long ones cut, not their own question among them")
    func read() throws {
        let stage = try Self.stage()
        stage.hears("audit", from: "admin@example.test/desk")
        #expect(stage.said() == ["Nothing was run yet that is not open to everybody."])
        stage.hears("now", from: olga)
        stage.hears("need \(String(repeating: "w", count: 5_000))\nand more", from: olga)
        stage.hears("now", from: "eve@evil.example/x")
        _ = stage.said()
        stage.hears("audit 3", from: "admin@example.test/desk")
        #expect(
            stage.said() == [
                """
                2023-11-14T22:13Z olga@example.test: now: answered after 0 ms, roles.ops[0]
                2023-11-14T22:13Z olga@example.test: need \(String(repeating: "w", count: 55))…: failed usage after 0 ms, \
                roles.ops[0]
                2023-11-14T22:13Z eve@evil.example: now: denied, declared in the bot's code
                """
            ])
        #expect(stage.ledger.audit.allSatisfy { $0.typed.count <= 1_000 })
        for _ in 0..<100 { stage.hears("audit 999999", from: "admin@example.test/desk") }
        _ = stage.said()
        stage.hears("audit 999999", from: "admin@example.test/desk")
        #expect(stage.said().joined(separator: "\n").split(separator: "\n").count == 50)
    }

    @Test("every outcome is read back as it was stored")
    func words() {
        let outcomes: [AuditOutcome] = [
            .waiting, .started, .answered, .failed(code: nil), .failed(code: "E1"), .timedOut, .interrupted, .denied,
            .cancelled,
        ]
        #expect(outcomes.map { AuditOutcome(word: $0.word, code: $0.code) } == outcomes)
        #expect(AuditOutcome(word: "evaporated", code: nil) == nil)
    }
}
