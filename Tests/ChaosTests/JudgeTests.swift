import EndToEndSupport
import Testing

@testable import chaos

@Suite("The judge of a chaos run")
struct JudgeTests {
    private static let note = PlannedMessage(id: "m0000", person: 0, command: .note, usesFullAddress: false)
    private static let mirror = PlannedMessage(id: "m0001", person: 1, command: .mirror, usesFullAddress: true)

    private static let person = ["a@localhost", "b@localhost"]

    private static func incoming(_ sequence: Int64, _ person: Int, _ state: String, _ id: String) -> LogRow {
        LogRow(sequence: sequence, direction: "in", peer: Self.person[person], state: state, id: id)
    }

    private static func outgoing(_ sequence: Int64, _ person: Int, _ id: String, to row: Int64) -> LogRow {
        LogRow(
            sequence: sequence, direction: "out", peer: Self.person[person], state: "acknowledged", id: id, answers: row
        )
    }

    /// What the bot's log has of it.
    private static let written = [
        "1 trace out: <enable/><message to='a' id='x1'><body/></message><message to='b' id='x2'><body/></message>"
    ]

    /// A run in which everything went as it should.
    private static var good: Evidence {
        var facts = Census.Facts()
        facts.acknowledged = ["m0000", "m0001"]
        facts.heard = [
            Heard(person: 0, id: "x1", body: "note: m0000"), Heard(person: 1, id: "x2", body: "mirror: m0001"),
        ]
        return Evidence(
            messages: [note, mirror], facts: facts,
            rows: [
                incoming(1, 0, "handled", "m0000"), outgoing(2, 0, "x1", to: 1),
                incoming(3, 1, "handled", "m0001"), outgoing(4, 1, "x2", to: 3),
            ], people: person,
            archive: ServerArchive(places: ["m0000": ["1"], "m0001": ["2"], "x1": ["3"], "x2": ["4"]]),
            effects: ["m0000"], wire: WireLog([written]), integrity: "ok", endings: [],
            unsettled: nil)
    }

    @Test("what went as it should has no breach")
    func clean() {
        #expect(Judge(Self.good).breaches() == [])
    }

    @Test("an interrupted command whose sender was told is no breach, and its effect may stand once or not at all")
    func interrupted() {
        for effects in [[], ["m0000"]] {
            var evidence = Self.good
            evidence.rows[0].state = "interrupted"
            evidence.facts.heard[0].body = "I was restarted while I worked on \u{201C}note m0000\u{201D}. Please."
            evidence.effects = effects
            #expect(Judge(evidence).breaches() == [])
        }
    }

    @Test("the same answer delivered twice under one id is no breach")
    func delivered() {
        var evidence = Self.good
        evidence.facts.heard.append(evidence.facts.heard[1])
        #expect(Judge(evidence).breaches() == [])
        #expect(Tally(evidence).secondByServer == 1)
        evidence.wire = WireLog([Self.written, Self.written])
        #expect(Tally(evidence).secondByServer == 0)
        #expect(Tally(evidence).secondByBot == 1)
        #expect(Tally(evidence).writtenAgain == 2)
    }

    @Test("a message that the server did not acknowledge, or gave back, need not be logged")
    func unacknowledged() {
        var evidence = Self.good
        evidence.rows.removeLast(2)
        evidence.facts.heard.removeLast()
        evidence.facts.acknowledged = ["m0000"]
        #expect(Judge(evidence).breaches() == [])
        evidence.facts.acknowledged = ["m0000", "m0001"]
        evidence.facts.bounced = ["m0001"]
        #expect(Judge(evidence).breaches() == [])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var kinds: [Breach.Kind]
        var change: @Sendable (inout Evidence) -> Void

        init(_ kinds: Breach.Kind..., change: @escaping @Sendable (inout Evidence) -> Void) {
            self.kinds = kinds
            self.change = change
        }

        var testDescription: String { kinds.map(\.rawValue).joined(separator: "; ") }
    }

    private static let interruption = "I was restarted while I worked on \u{201C}note m0000\u{201D}."

    static let cases: [Case] = [
        Case(.notLogged) { $0.rows.removeFirst(2) },
        Case(.loggedTwice) {
            $0.rows += [incoming(5, 1, "handled", "m0001"), outgoing(6, 1, "x6", to: 5)]
        },
        Case(.unfinished) { $0.rows[0].state = "started" },
        Case(.unfinished) { $0.rows[0].state = "declined" },
        Case(.notAnswered) { $0.facts.heard.removeFirst() },
        Case(.answeredTwice) { $0.facts.heard.append(Heard(person: 1, id: "x9", body: "mirror: m0001")) },
        Case(.interruptedAnyway, .answeredAndInterrupted) {
            $0.facts.heard.append(
                Heard(person: 1, id: "x9", body: "I was restarted while I worked on \u{201C}mirror m0001\u{201D}."))
        },
        Case(.answeredAndInterrupted) { $0.facts.heard.append(Heard(person: 0, id: "x9", body: interruption)) },
        Case(.toldTwice) {
            $0.facts.heard[0].body = interruption
            $0.facts.heard.append(Heard(person: 0, id: "x9", body: interruption))
        },
        Case(.effectTwice) { $0.effects.append("m0000") },
        Case(.effectMissing) { $0.effects = [] },
        Case(.answersInLog) { $0.rows.remove(at: 1) },
        Case(.answersInLog) { $0.rows.append(outgoing(9, 0, "x9", to: 1)) },
        Case(.unexpectedWords) { $0.facts.heard.append(Heard(person: 1, id: "x9", body: "Sorry.")) },
        Case(.ended) { $0.endings = ["exited(70), by itself"] },
        Case(.unsound) { $0.integrity = "row 3 missing" },
        Case(.unsettled) { $0.unsettled = "nothing has happened" },
    ]

    @Test("every broken promise is found, and named with its message", arguments: cases)
    func broken(_ broken: Case) {
        var evidence = Self.good
        broken.change(&evidence)
        let breaches = Judge(evidence).breaches()
        #expect(breaches.map(\.kind) == broken.kinds)
        for breach in breaches where breach.message != nil { #expect(breach.details.count >= 3) }
    }

    @Test(
        "what a server that ended kept in no archive is its own loss; what it kept, or lost while it ran, is a breach")
    func lostByServer() {
        var evidence = Self.good
        evidence.rows.removeLast(2)
        evidence.facts.heard.removeLast()
        evidence.facts.settled = ["m0000"]
        evidence.unsettled = "nothing has happened"
        evidence.archive = ServerArchive(places: ["m0000": ["1"], "x1": ["3"]])
        #expect(Judge(evidence).breaches().map(\.kind) == [.notLogged, .notAnswered, .unsettled])
        evidence.serverDeaths = 1
        #expect(Judge(evidence).breaches() == [])
        #expect(Tally(evidence).lostByServer == 1)
        evidence.archive = Self.good.archive
        #expect(Judge(evidence).breaches().map(\.kind) == [.notLogged, .notAnswered, .unsettled])
    }

    @Test("an answer that a server took into its archive and never delivered is its own loss when it ended")
    func undelivered() {
        var evidence = Self.good
        evidence.facts.heard.removeFirst()
        evidence.serverDeaths = 1
        #expect(Judge(evidence).breaches() == [])
        #expect(Tally(evidence).undelivered == 1)
        evidence.archive = ServerArchive(places: ["m0000": ["1"], "m0001": ["2"], "x2": ["4"]])
        #expect(Judge(evidence).breaches().map(\.kind) == [.notAnswered])
        evidence.archive = Self.good.archive
        evidence.rows[1].state = "sent"
        #expect(Judge(evidence).breaches().map(\.kind) == [.notAnswered])
    }

    @Test("every kind of breach is tried here")
    func complete() {
        #expect(Set(Self.cases.flatMap(\.kinds)) == Set(Breach.Kind.allCases))
    }
}
