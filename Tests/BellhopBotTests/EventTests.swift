import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Events and speaking unasked", .timeLimit(.minutes(1)))
struct EventTests {
    static func everyEvent() throws -> [Event] {
        let jid = try JID("alice@example.test/phone")
        let presence = ContactPresence(jid: jid, availability: Availability(show: .dnd))
        return [
            .connected(Connected(host: "localhost", tlsVersion: "TLS 1.3")), .online(Online(jid: jid)),
            .loginFailed(LoginFailed(reason: "not-authorized")),
            .disconnected(Disconnected(cause: "reset", nextAttempt: .seconds(3))), .registered(Registered(jid: jid)),
            .registrationFailed(RegistrationFailed(reason: "conflict")), .rosterLoaded(RosterLoaded(items: [])),
            .rosterChanged(RosterChanged(jid: jid.bare, item: nil)), .contactOnline(presence),
            .contactOffline(presence), .contactChanged(presence),
            .request(SubscriptionRequest(jid: jid.bare, action: "ask", decidedBy: "default", number: 1)),
            .removed(Removed(jid: jid.bare)), .messageSent(MessageSent(to: jid, id: "m1")),
            .messageFailed(MessageFailed(to: jid.bare, id: "m1", reason: "item-not-found")),
        ]
    }

    @Test("each event reaches its handler with what belongs to it, and writes one log line")
    func everyKind() async throws {
        let diary = Diary()
        let bot = Bot {
            On(.connected) { diary.note("connected \($0.host)") }
            On(.online) { diary.note("online \($0.jid)") }
            On(.loginFailed) { diary.note("loginFailed \($0.reason)") }
            On(.disconnected) { diary.note("disconnected \($0.cause) \($0.nextAttempt ?? .zero)") }
            On(.registered) { diary.note("registered \($0.jid)") }
            On(.registrationFailed) { diary.note("registrationFailed \($0.reason)") }
            On(.rosterLoaded) { diary.note("rosterLoaded \($0.items.count)") }
            On(.rosterChanged) { diary.note("rosterChanged \($0.jid)") }
            On(.contactOnline) { diary.note("contactOnline \($0.availability.show)") }
            On(.contactOffline) { diary.note("contactOffline \($0.jid)") }
            On(.contactChanged) { diary.note("contactChanged \($0.jid)") }
            On(.request) { diary.note("request \($0.action) \($0.decidedBy)") }
            On(.removed) { diary.note("removed \($0.jid)") }
            On(.messageSent) { diary.note("messageSent \($0.id)") }
            On(.messageFailed) { diary.note("messageFailed \($0.reason)") }
        }
        let stage = try Stage(bot)
        let events = try Self.everyEvent()
        for event in events { stage.desk.occurred(event, at: stage.moment) }
        for _ in events { await stage.turn() }
        #expect(
            diary.entries == [
                "connected localhost", "online alice@example.test/phone", "loginFailed not-authorized",
                "disconnected reset 3.0 seconds", "registered alice@example.test/phone", "registrationFailed conflict",
                "rosterLoaded 0", "rosterChanged alice@example.test", "contactOnline dnd",
                "contactOffline alice@example.test/phone", "contactChanged alice@example.test/phone",
                "request ask default", "removed alice@example.test", "messageSent m1", "messageFailed item-not-found",
            ])
        #expect(stage.sink.lines.count == events.count)
        #expect(!stage.desk.isBusy)
        #expect(events.map(\.name) == EventName.allCases)
    }

    @Test("an event handler that throws is logged, one that hangs is stopped, and the next event is heard")
    func failures() async throws {
        let gate = Gate()
        let diary = Diary()
        let bot = Bot {
            On(.removed) { _ in throw Mishap() }
            On(.online) { _ in try await gate.pass() }
            On(.messageSent) { diary.note($0.id) }
        }
        let stage = try Stage(bot)
        let jid = try JID("alice@example.test/x")
        stage.desk.occurred(.removed(Removed(jid: jid)), at: stage.moment)
        await stage.turn()
        #expect(stage.sink.lines.contains { $0.hasPrefix("error handler failed") && $0.contains("Mishap") })
        stage.desk.occurred(.online(Online(jid: jid)), at: stage.moment)
        stage.desk.occurred(.messageSent(MessageSent(to: jid, id: "m1")), at: stage.moment)
        _ = try await gate.arrived.value
        #expect(stage.desk.nextDeadline == .seconds(1_030))
        stage.pass(.seconds(30))
        while diary.entries.isEmpty { await stage.turn() }
        #expect(diary.entries == ["m1"])
    }

    @Test("when event handlers cannot keep up, events are dropped with a warning")
    func bound() async throws {
        let gate = Gate()
        let stage = try Stage(Bot { On(.messageSent) { _ in try await gate.pass() } })
        let jid = try JID("alice@example.test/x")
        for _ in 0..<1_100 { stage.desk.occurred(.messageSent(MessageSent(to: jid, id: "m")), at: stage.moment) }
        #expect(stage.sink.lines.filter { $0.hasPrefix("warning event dropped") }.count == 1_100 - 1_024 - 1)
        stage.desk.close()
        gate.open()
    }

    @Test("send returns when the journal has it, and its outcome is what became of it")
    func sending() async throws {
        let stage = try Stage(
            Bot {
                Command("tell", "", Arg<String>("who")) { context, who in
                    let sent = try await context.bot.send("hello", to: JID(who))
                    return "\(try await sent.outcome)"
                }
            })
        stage.hears("!tell bob@example.test", from: "admin@example.test/desk")
        await stage.turn()
        #expect(stage.chat.messages.map(\.to.description) == ["bob@example.test"])
        let message = try #require(stage.chat.messages.first)
        stage.desk.messageSent(2, to: message.to, id: message.id, at: stage.moment)
        await stage.turn()
        #expect(stage.said() == ["hello", "sent"])
    }

    @Test("a bounce settles what was sent, and a full journal refuses it")
    func failing() async throws {
        let stage = try Stage()
        let bob = try JID("bob@example.test")
        let handle = stage.desk.outlet.bot
        let sent = Sent(to: bob, text: "x", payloads: [], type: .chat)
        stage.desk.received(.asked(.send(sent)), at: stage.moment)
        #expect(sent.journalled.current == nil)
        #expect(sent.state == .queued)
        stage.desk.turnCommitted()
        #expect(try sent.journalled.current?.get() != nil)
        let id = try #require(stage.chat.messages.first?.id)
        stage.hears("x", from: "bob@example.test", type: "error", id: id)
        #expect(sent.state == .failed("undefined-condition"))
        #expect(try await sent.outcome == .failed("undefined-condition"))

        stage.ledger.isFull = true
        let refused = Task { _ = try await handle.send("y", to: bob) }
        await stage.turn()
        await #expect(throws: BotError.journalFull) { try await refused.value }
    }

    @Test("presence and contacts go to the connection; adding asks to see whom we do not see yet")
    func contacts() async throws {
        let stage = try Stage()
        let bob = try JID("bob@example.test/y")
        let handle = stage.desk.outlet.bot
        handle.presence(.dnd, "deploying")
        handle.add(bob, name: "Bob", groups: ["Ops"])
        handle.add(bob, name: "Bobby")
        handle.remove(bob)
        for _ in 0..<4 { await stage.turn() }
        #expect(
            stage.did() == [
                "show dnd deploying", "set bob@example.test Bob [\"Ops\"]", "subscribe bob@example.test",
                "set bob@example.test Bobby []", "remove bob@example.test",
            ])
        async let contacts = handle.contacts
        await stage.turn()
        #expect(try await contacts.map(\.jid.bareText) == ["bob@example.test"])
    }

    @Test("a task that waits for an outcome can be cancelled, before and after it began to wait")
    func cancelling() async throws {
        let sent = Sent(to: try JID("bob@example.test"), text: "x", payloads: [], type: .chat)
        let task = Task { try await sent.outcome }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        sent.settle(.sent)
        #expect(try await sent.outcome == .sent)
    }
}
