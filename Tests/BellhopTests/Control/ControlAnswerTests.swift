import Bellhop
import BellhopBot
import BellhopXMPP
import Testing

@Suite("Answers of a bot to the command line")
struct ControlAnswerTests {
    private static func every() throws -> [ControlAnswer] {
        let requests = [
            RequestRow(number: 7, jid: "carol@else.example", askedAt: Timestamp(milliseconds: 1_234)),
            RequestRow(number: 8, jid: "dan@else.example", askedAt: Timestamp(milliseconds: 0)),
        ]
        let contacts = [
            RosterRow(
                jid: "ann@example.org", name: "Änne", state: "both", asks: true, groups: ["A", "B"],
                online: [.init(name: "phone", show: "away", status: "at\nlunch"), .init(name: "", show: "available")]),
            RosterRow(jid: "x@example.org", state: "none", online: nil),
        ]
        let moment = Timestamp(milliseconds: 1_234)
        let states: [OutboxRow.State] = [
            .waiting(nil), .waiting(.paused), .waiting(.offline(nil)), .waiting(.offline("no route: \u{1B}\n")),
            .waiting(.notRunning), .leaving, .failed(at: moment, reason: "gone: away"), .failed(at: moment, reason: ""),
        ]
        let messages = states.enumerated().map { number, state in
            OutboxRow(
                number: Int64(number), to: "ann@example.org", queuedAt: moment, state: state,
                text: number == 0 ? nil : "hello \"you\"")
        }
        var outcome = OutboxOutcome(verb: .retry)
        outcome.done = [OutboxOutcome.Done(row: 7, to: try JID("ann@example.org"))]
        outcome.refused = OutboxRefusal.allCases.map { OutboxOutcome.Refused(row: Int64.max, why: $0) }
        outcome.more = 3
        let failures: [ControlFailure] = [
            .notConnected(reason: nil), .notConnected(reason: "gone"), .bounced(reason: "service-unavailable"),
            .refused(reason: "forbidden"), .noAnswer, .noArchive, .journalFull, .noSuchContact(try JID("a@b")),
            .noSuchRequest,
            .alreadyAnswered(number: 7, accepted: true, by: "ann@example.org"), .busy, .notUnderstood("why"),
            .journalFailed(reason: "why"), .logInUse,
        ]
        let findings = [
            Finding(.stream, .degraded, "None: \u{1B}\n", advice: "turn \"it\" on"), Finding(.ping, .ok, "Fine."),
        ]
        return [
            .outbox(messages, more: 2), .outbox([], more: 0), .changedOutbox(outcome, hold: .offline("gone")),
            .changedOutbox(OutboxOutcome(verb: .drop), hold: nil), .done, .forgotten(messages: 7, others: 1),
            .fetched(new: 3, known: 9, isWhole: false), .roster(contacts), .roster([]), .requests(requests),
            .requests([]),
            .answeredRequests(requests, accepted: true), .answeredRequests(requests, accepted: false),
            .paused(since: Timestamp(milliseconds: 1_234), by: "ann@example.org", isNew: true),
            .resumed(run: 3, late: 4), .notPaused, .resetLogin(after: "SCRAM-SHA-1"), .resetLogin(after: nil),
            .examined([]), .examined(findings), .status(StatusTextTests.online), .status(StatusTextTests.offline),
        ] + failures.map(ControlAnswer.failed)
    }

    @Test("every answer is one line and reads back as itself")
    func roundTrip() throws {
        for answer in try Self.every() {
            #expect(!answer.json.contains { $0.isNewline })
            #expect(try ControlAnswer(json: Array(answer.json.utf8), sizeLimit: 1_000_000) == answer)
        }
    }

    @Test(
        "whatever is no answer of ours is not understood",
        arguments: [
            "", "[]", "{\"is\":\"fine\"}", "{\"is\":\"done\",\"more\":1}", "{\"is\":\"failed\"}",
            "{\"is\":\"failed\",\"why\":\"because\",\"reason\":null}", "{\"is\":\"roster\",\"contacts\":[1]}",
            "{\"is\":\"outbox\",\"messages\":[{}],\"more\":0}", "{\"is\":\"outbox\",\"messages\":[]}",
            "{\"is\":\"changed-outbox\",\"verb\":\"burn\",\"done\":[],\"refused\":[],\"more\":0,\"hold\":null}",
            "{\"is\":\"changed-outbox\",\"verb\":\"drop\",\"done\":[],\"refused\":[],\"more\":0,\"hold\":{\"is\":\"x\",\"reason\":null}}",
            "{\"is\":\"requests\",\"requests\":[{\"number\":1,\"jid\":\"a@b\",\"since\":\"yesterday\"}]}",
        ])
    func hostile(line: String) {
        #expect {
            try ControlAnswer(json: Array(line.utf8), sizeLimit: 1_000_000)
        } throws: { error in
            guard case .notUnderstood? = error as? ControlFailure else { return false }
            return true
        }
    }

    @Test("an answer above the limit is not understood, one within it is")
    func size() throws {
        let name = String(repeating: "a", count: 100_000)
        let rows = (1...11).map { RosterRow(jid: "contact-\($0)@example.org", name: name, state: "both") }
        let bytes = Array(ControlAnswer.roster(rows).json.utf8)
        #expect(try ControlAnswer(json: bytes, sizeLimit: bytes.count) == .roster(rows))
        #expect(throws: ControlFailure.notUnderstood("this is no JSON")) {
            try ControlAnswer(json: bytes, sizeLimit: bytes.count - 1)
        }
    }
}
