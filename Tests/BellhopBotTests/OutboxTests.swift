import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("The outbox")
struct OutboxTests {
    private static let admin = "admin@example.test/desk"

    /// A stage on which a message to each of these came back.
    private func stage(_ people: [String] = ["carol@else.example"], reason: String = "item-not-found") throws -> Stage {
        let stage = try Stage()
        for person in people {
            let sent = try #require(stage.desk.say("hello", to: try JID(person), at: stage.moment))
            stage.desk.turnCommitted()
            let id = try #require(stage.chat.messages.last?.id)
            bounce(id, from: person, reason, on: stage)
            #expect(sent.state == .failed(reason))
        }
        _ = stage.said()
        return stage
    }

    private func bounce(_ id: String, from person: String, _ reason: String, on stage: Stage) {
        let condition = Element(reason, namespace: "urn:ietf:params:xml:ns:xmpp-stanzas")
        stage.hears(
            Element("message", namespace: "jabber:client").with("from", person).with("type", "error").with("id", id)
                .with(Element("error", namespace: "jabber:client").with("type", "cancel").with(condition)))
    }

    private func ask(_ text: String, _ stage: Stage) -> String {
        stage.hears(text, from: Self.admin)
        return stage.said().last ?? ""
    }

    @Test("what came back is listed with its age and the reason in words, and what was sent well is not")
    func listed() throws {
        let stage = try stage()
        stage.pass(.seconds(7_500))
        #expect(
            ask("outbox", stage) == """
                1 to carol@else.example, 2 h 5 min old: came back: nobody has this address (item-not-found)
                outbox retry 1 sends one again, outbox drop 1 gives it up.
                """)
    }

    @Test("what waits is listed with why, and what is on its way as such")
    func waiting() throws {
        let stage = try Stage()
        _ = stage.desk.say("hello", to: try JID("carol@else.example"), at: stage.moment)
        stage.chat.messages = []
        #expect(ask("outbox", stage) == "1 to carol@else.example, 0 s old: waits to be sent")
        for row in stage.ledger.outgoing where row.id != 1 { stage.ledger.noteSent(row.id) }
        stage.chat.underWay = [1]
        #expect(ask("outbox", stage) == "1 to carol@else.example, 0 s old: sent, not yet acknowledged")
        for row in stage.ledger.outgoing where row.id != 1 { stage.ledger.noteSent(row.id) }
        stage.chat.underWay = []
        _ = stage.desk.beginPause(by: "x", at: stage.moment)
        for row in stage.ledger.outgoing where row.id != 1 { stage.ledger.noteSent(row.id) }
        #expect(ask("outbox", stage) == "1 to carol@else.example, 0 s old: waits until I am resumed")
    }

    @Test("an empty outbox says so, and what came back more than 7 days ago is not in it")
    func old() throws {
        let stage = try stage()
        stage.pass(.seconds(7 * 86_400 + 1))
        #expect(ask("outbox", stage) == "Nothing waits to be sent, and nothing came back in the last 7 days.")
    }

    @Test("a list shows the newest ten, and how many more there are")
    func long() throws {
        let stage = try stage((1...12).map { "p\($0)@else.example" })
        let lines = ask("outbox", stage).split(separator: "\n")
        #expect(lines.first == "2 older ones, and")
        #expect(lines.count == 12 && lines.last?.hasPrefix("outbox retry ") == true)
    }

    @Test("a retry sends the same message under the same id, once")
    func retry() throws {
        let stage = try stage()
        let id = try #require(stage.ledger.ids[1])
        #expect(ask("outbox retry 1", stage) == "I send message 1 to carol@else.example again.")
        // The answer is queued behind it.
        #expect(stage.ledger.rows[0].state == "requeued" && stage.ledger.rows[0].reason == "admin@example.test")
        let again = try #require(stage.ledger.ids[1])
        #expect(again == id)
        #expect(ask("outbox retry 1", stage) == "Message 1 waits to be sent already.")
        stage.chat.underWay = [1]
        #expect(ask("outbox retry 1", stage) == "Message 1 is on its way: it was sent, and is not yet acknowledged.")
        #expect(ask("outbox drop 1", stage) == "Message 1 is on its way: it was sent, and is not yet acknowledged.")
        stage.chat.underWay = []
        stage.ledger.noteSent(1)
        #expect(ask("outbox retry 1", stage) == "Message 1 was sent and has not come back.")
    }

    @Test("what a retry hands to the stream is the message as it was")
    func message() throws {
        let stage = try stage()
        stage.hears("outbox retry 1", from: Self.admin)
        let sent = try #require(stage.chat.messages.first)
        #expect(sent.id == stage.ledger.ids[1])
        #expect(sent.to == (try JID("carol@else.example")))
        #expect(sent.body == "hello" && sent.type == .chat)
        #expect(stage.chat.messages.count == 2)
    }

    @Test("while paused a retry is put down, and hands nothing to the stream")
    func paused() throws {
        let stage = try stage()
        _ = stage.desk.beginPause(by: "x", at: stage.moment)
        _ = stage.said()
        stage.hears("outbox retry 1", from: Self.admin)
        #expect(stage.said() == ["I send message 1 to carol@else.example again when I am resumed."])
        #expect(stage.ledger.rows[0].state == "requeued")
    }

    @Test("all is all that came back; what is not kept whole stays, and is counted")
    func all() throws {
        let stage = try stage((1...3).map { "p\($0)@else.example" })
        stage.ledger.withoutText = [stage.ledger.outgoing[1].id]
        #expect(
            ask("outbox retry all", stage)
                == "I send 2 messages again. 1 cannot be sent again, because its text is not kept whole.")
        #expect(
            ask("outbox retry all", stage)
                == "The text of message \(stage.ledger.outgoing[1].id) is not kept whole, so it cannot be sent again.")
        #expect(ask("outbox drop all", stage).hasPrefix("I give up message "))
        #expect(ask("outbox drop all", stage) == "Nothing came back in the last 7 days.")
    }

    @Test("a dropped message is given up for good, and who waits for it hears that")
    func drop() throws {
        let stage = try Stage()
        let sent = try #require(stage.desk.say("hello", to: try JID("carol@else.example"), at: stage.moment))
        _ = stage.said()
        #expect(ask("outbox drop 1", stage) == "I give up message 1 to carol@else.example.")
        #expect(sent.state == .failed("given up by admin@example.test"))
        #expect(stage.ledger.rows[0].state == "dropped")
        #expect(ask("outbox drop 1", stage) == "Message 1 was given up before.")
        #expect(ask("outbox retry 1", stage) == "Message 1 was given up before.")
    }

    @Test(
        "whatever cannot be understood is answered with what can",
        arguments: [
            "retry", "drop", "retry x", "retry 0", "retry -1", "retry 1 2", "frob 1", "1", "retry 1.5",
            "retry 99999999999999999999", "drop \u{202E}1", "retry all all",
        ])
    func hostile(arguments: String) throws {
        let stage = try stage()
        #expect(ask("outbox " + arguments, stage) == Phrases.outboxUsage)
        #expect(stage.ledger.rows[0].state == "failed")
    }

    @Test("a number that is no message of the bot's is said to be none", arguments: ["2", "9223372036854775807"])
    func unknown(number: String) throws {
        let stage = try stage()
        stage.hears("hello", from: "dan@else.example/x")
        #expect(
            ask("OUTBOX Retry \(number)", stage)
                == "There is no message \(number) of the bot's; outbox lists those that wait or came back.")
    }

    @Test("it is for admins, who find it in help, and each use is in the audit")
    func access() throws {
        let stage = try stage()
        stage.hears("outbox retry 1", from: "mallory@else.example/x")
        #expect(stage.said() == ["Sorry, you may not do that here."])
        #expect(stage.ledger.rows[0].state == "failed")
        #expect(ask("help outbox", stage).hasPrefix("!outbox [retry | drop NUMBER | all]: "))
        #expect(ask("help", stage).contains("!outbox, "))
        _ = ask("outbox retry 1", stage)
        #expect(stage.ledger.audit.map(\.command).suffix(1) == ["outbox"])
        #expect(stage.ledger.audit.last?.typed == "outbox retry 1")
        #expect(ask("why mallory@else.example outbox", stage).contains("may not run outbox"))
    }

    @Test("a journal that cannot be read, or takes nothing, is said, and nothing is sent")
    func trouble() throws {
        let stage = try stage()
        stage.ledger.isUnreadable = true
        #expect(ask("outbox", stage) == "My journal cannot be read at the moment. The log says why.")
        #expect(ask("outbox retry 1", stage) == "My journal cannot be read at the moment. The log says why.")
        stage.ledger.isUnreadable = false
        stage.ledger.isFull = true
        #expect(throws: LedgerFault.full) {
            try stage.desk.changeOutbox(
                .retry, .number(1), OutboxFilter(since: stage.moment.clock), by: "x", at: stage.moment)
        }
        #expect(stage.ledger.rows[0].state == "failed")
    }

    @Test(
        "why a message came back is said in words, with the protocol's behind them; what is none of its words stays as it is",
        arguments: [
            ("item-not-found", "nobody has this address (item-not-found)"),
            ("service-unavailable: away", "nobody at this address takes messages (service-unavailable: away)"),
            ("remote-server-not-found", "the server of this address cannot be found (remote-server-not-found)"),
            ("undefined-condition: oh", "undefined-condition: oh"),
            ("restored from a backup", "restored from a backup"),
            ("", ""),
            ("forbidden: \u{1B}[2J\nx", "this address takes nothing from the bot (forbidden: \\u{1b}[2J\\nx)"),
        ])
    func reasons(reason: String, words: String) { #expect(Phrases.bounce(reason) == words) }

    @Test("of a text only the start of its first line is shown, however it is made")
    func texts() throws {
        let to = try JID("a@b.example")
        func start(_ text: String?) -> String? {
            OutboxEntry(row: 1, to: to, queuedAt: Timestamp(milliseconds: 0), state: .waiting, text: text).text
        }
        #expect(start("hello") == "hello")
        #expect(start("\n\nhello\nworld") == "hello\u{2026}")
        #expect(start(String(repeating: "x", count: 41)) == String(repeating: "x", count: 40) + "\u{2026}")
        let marks = start("e" + String(repeating: "\u{301}", count: 10_000))
        #expect((marks?.utf8.count ?? .max) < 100)
        #expect(start(nil) == nil)
        #expect(start("\n\n") == nil)
    }
}
