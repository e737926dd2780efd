import BellhopBot
import BellhopXMPP
import Testing

@testable import Bellhop

@Suite("The outbox at the command line")
struct OutboxTableTests {
    private static let noon = Timestamp(milliseconds: 1_700_000_000_000)

    private func row(_ number: Int64, _ state: OutboxRow.State, text: String? = "hello") -> OutboxRow {
        OutboxRow(number: number, to: "ann@example.org", queuedAt: Self.noon, state: state, text: text)
    }

    @Test("each message is a line with its age, and why it is where it is")
    func table() {
        let rows = [
            row(7, .failed(at: Self.noon, reason: "item-not-found: no\nsuch user")), row(8, .waiting(.paused)),
            row(9, .waiting(.offline("no route"))), row(10, .waiting(.offline(nil))), row(11, .waiting(.notRunning)),
            row(12, .waiting(nil), text: nil), row(13, .leaving, text: "\u{1B}[2J"),
        ]
        #expect(
            OutboxTable.text(rows, now: Self.noon + .seconds(7_500)) == """
                NUMBER  TO               AGE        STATE    REASON                                                   TEXT
                7       ann@example.org  2 h 5 min  failed   nobody has this address (item-not-found: no\\nsuch user)  hello
                8       ann@example.org  2 h 5 min  waiting  the bot is paused                                        hello
                9       ann@example.org  2 h 5 min  waiting  the bot is not connected (no route)                      hello
                10      ann@example.org  2 h 5 min  waiting  the bot is not connected                                 hello
                11      ann@example.org  2 h 5 min  waiting  the bot is not running                                   hello
                12      ann@example.org  2 h 5 min  waiting  about to leave                                           (no text)
                13      ann@example.org  2 h 5 min  sent     not yet acknowledged                                     \\u{1b}[2J

                """)
        #expect(
            OutboxTable.text([], now: Self.noon) == "Nothing waits to be sent, and nothing came back in that time.\n")
        // A clock that was set back.
        #expect(OutboxTable.text([rows[1]], now: Self.noon - .seconds(60)).contains("  0 s  "))
    }

    @Test("JSON has one object a line, times in UTC")
    func json() {
        #expect(
            OutboxTable.json([
                row(7, .failed(at: Self.noon, reason: "gone")), row(8, .waiting(.offline("x")), text: nil),
            ])
                == "{\"number\":7,\"to\":\"ann@example.org\",\"queued\":\"2023-11-14T22:13:20.000Z\",\"state\":\"failed\","
                + "\"failed\":\"2023-11-14T22:13:20.000Z\",\"reason\":\"gone\",\"text\":\"hello\"}\n"
                + "{\"number\":8,\"to\":\"ann@example.org\",\"queued\":\"2023-11-14T22:13:20.000Z\",\"state\":\"waiting\","
                + "\"failed\":null,\"reason\":\"offline: x\",\"text\":null}\n")
    }

    @Test("what was done is said in one line, and what was not, with why")
    func sentences() throws {
        let ann = try JID("ann@example.org")
        func outcome(_ verb: OutboxVerb, done: Int = 0, refused: Int = 0, more: Int = 0) -> OutboxOutcome {
            OutboxOutcome(
                verb: verb, done: (0..<done).map { OutboxOutcome.Done(row: RowID($0 + 7), to: ann) },
                refused: (0..<refused).map { OutboxOutcome.Refused(row: RowID($0 + 1), why: .notWhole) }, more: more)
        }
        let cases: [(OutboxOutcome, OutboxHold?, String)] = [
            (outcome(.retry, done: 1), nil, "Message 7 to ann@example.org is sent again.\n"),
            (
                outcome(.retry, done: 2), .offline("no\nroute"),
                "2 messages are sent again once that is over: the bot is not connected (no\\nroute).\n"
            ),
            (
                outcome(.retry, done: 1), .paused,
                "Message 7 to ann@example.org is sent again once that is over: the bot is paused.\n"
            ),
            (outcome(.drop, done: 1), .notRunning, "Message 7 to ann@example.org is given up.\n"),
            (outcome(.drop, done: 3), nil, "3 messages are given up.\n"),
            (outcome(.retry), .notRunning, "Nothing came back in that time.\n"),
            (
                outcome(.retry, done: 2, refused: 1, more: 4), nil,
                "2 messages are sent again. 1 cannot be sent again, because its text is not kept whole. "
                    + "There are 4 more; say it once more for those.\n"
            ),
            (
                outcome(.retry, refused: 2), .paused,
                "0 messages are sent again. 2 cannot be sent again, because their texts are not kept whole.\n"
            ),
        ]
        for (outcome, hold, sentence) in cases { #expect(OutboxPhrases.changed(outcome, hold: hold) == sentence) }
        #expect(
            OutboxPhrases.trouble(outcome(.retry, refused: 1), .number(1))
                == "The text of message 1 is not kept whole, so it cannot be sent again.")
        #expect(OutboxPhrases.trouble(outcome(.retry, refused: 1), .all) == nil)
        #expect(OutboxPhrases.trouble(outcome(.retry, done: 1), .number(7)) == nil)
        #expect(OutboxPhrases.more(3) == "3 older ones are not shown; --to and --since narrow it down.")
    }

    @Test("each refusal has its sentence")
    func refusals() {
        #expect(
            OutboxRefusal.allCases.map { Phrases.refusal(7, $0, .retry) } == [
                "There is no message 7 of the bot's; outbox lists those that wait or came back.",
                "Message 7 waits to be sent already.",
                "Message 7 is on its way: it was sent, and is not yet acknowledged.",
                "Message 7 was sent and has not come back.", "Message 7 was given up before.",
                "The text of message 7 is not kept whole, so it cannot be sent again.",
            ])
    }
}
