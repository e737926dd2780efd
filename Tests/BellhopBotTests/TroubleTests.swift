import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("The bot speaks up", .timeLimit(.minutes(1)))
struct TroubleTests {
    private static let start = Timestamp(milliseconds: 1_700_000_000_000)

    @Test("every trouble has its sentence")
    func sentences() {
        let sentences: [(Trouble, String)] = [
            (.handlerFailing(name: "deploy", times: 3), "deploy failed 3 times in a row. The log says why."),
            (
                .journalHeld(reason: "database or disk is full"),
                "The journal cannot be written (database or disk is full). I go on and keep what is said in memory; if I am "
                    + "killed now, messages may be lost or answered twice. Please see to the disk."
            ),
            (.journalRecovered, "The journal can be written again, and what I kept in memory is in it now."),
            (
                .certificateEnding(domain: "example.org", end: Self.start, days: 13),
                "The certificate of example.org ends in 13 days, on 2023-11-14. Please renew it on the server; I cannot log "
                    + "in with one that has expired."
            ),
            (
                .loginsRefused(times: 3, since: Self.start, reason: "the account is locked"),
                "Logins were refused 3 times since 2023-11-14 22:13 UTC, the last time because the account is locked."
            ),
            (
                .loginsRefused(times: 1, since: Self.start, reason: "x"),
                "Logins were refused once since 2023-11-14 22:13 UTC, the last time because x."
            ),
            (
                .outage(.seconds(1_860), reason: "the server closed the connection"),
                "I was offline for 31 min: the server closed the connection."
            ),
            (.outage(.seconds(7_320), reason: "x"), "I was offline for 2 h 2 min: x."),
        ]
        #expect(Set(sentences.map(\.0.kind)) == Set(Trouble.Kind.allCases))
        for (trouble, sentence) in sentences { #expect(Phrases.trouble(trouble) == sentence) }
    }

    @Test("one of a kind an hour, each kind for itself")
    func limit() {
        var limit = TroubleLimit()
        var told: [Bool] = []
        for second in [5, 3_604, 3_605, 3_605] { told.append(limit.allows(.handlerFailing, now: .seconds(second))) }
        #expect(told == [true, false, true, false])
        told = Trouble.Kind.allCases.map { limit.allows($0, now: .seconds(3_606)) }
        #expect(told == Trouble.Kind.allCases.map { $0 != .handlerFailing })
    }

    @Test("three failures in a row are a trouble, a success in between sets the count back")
    func failures() {
        var watch = TroubleWatch()
        #expect(watch.handlerFailed("a") == nil)
        #expect(watch.handlerFailed("a") == nil)
        #expect(watch.handlerFailed("b") == nil)
        watch.handlerSucceeded("a")
        #expect(watch.handlerFailed("a") == nil)
        #expect(watch.handlerFailed("b") == nil)
        #expect(watch.handlerFailed("b") == .handlerFailing(name: "b", times: 3))
        #expect(watch.handlerFailed("b") == .handlerFailing(name: "b", times: 4))
        watch.handlerSucceeded("a")
        watch.handlerSucceeded("b")
        #expect(watch.isCalm)
    }

    @Test("refused logins and long outages are told once, when the bot is back")
    func connection() throws {
        var watch = TroubleWatch()
        let jid = try JID("bot@example.test/x")
        func moment(_ seconds: Int64) -> Moment {
            Moment(now: .seconds(seconds), clock: Self.start + .seconds(seconds))
        }
        let online = Event.online(Online(jid: jid))
        func offline(_ cause: String) -> Event { .disconnected(Disconnected(cause: cause, nextAttempt: .seconds(1))) }
        #expect(watch.heard(online, at: moment(0)) == nil)
        #expect(watch.heard(offline("a"), at: moment(10)) == nil)
        #expect(watch.heard(online, at: moment(909)) == nil)
        #expect(watch.heard(offline("a"), at: moment(1_000)) == nil)
        #expect(watch.heard(offline("b"), at: moment(1_500)) == nil)
        #expect(watch.heard(online, at: moment(1_900)) == .outage(.seconds(900), reason: "b"))
        #expect(watch.heard(online, at: moment(5_000)) == nil)
        for second in 6_000..<6_003 {
            #expect(watch.heard(.loginFailed(LoginFailed(reason: "no \(second)")), at: moment(Int64(second))) == nil)
            #expect(watch.heard(offline("no"), at: moment(Int64(second))) == nil)
        }
        #expect(
            watch.heard(online, at: moment(9_000))
                == .loginsRefused(times: 3, since: moment(6_000).clock, reason: "no 6002"))
        #expect(watch.heard(online, at: moment(9_001)) == nil)
    }

    @Test("a certificate is spoken of in its last two weeks")
    func certificate() {
        func days(_ seconds: Int64) -> Trouble? {
            Trouble.certificate(of: "x.test", end: Self.start + .seconds(seconds), now: Self.start)
        }
        #expect(days(14 * 86_400) == nil)
        #expect(
            days(14 * 86_400 - 1)
                == .certificateEnding(domain: "x.test", end: Self.start + .seconds(14 * 86_400 - 1), days: 13))
        #expect(days(0) == .certificateEnding(domain: "x.test", end: Self.start, days: 0))
        #expect(days(.min / 2) != nil && days(.max / 2) == nil)
    }

    @Test("a command that keeps failing is told to the admins, once an hour, and stands in the log")
    func handler() throws {
        let stage = try Stage(opsBot, admins: ["admin@example.test", "second@example.test"])
        for _ in 0..<5 { stage.hears("!fail") }
        let told = stage.chat.messages.filter { $0.to.bareText != "alice@example.test" }
        #expect(told.map(\.to.description) == ["admin@example.test", "second@example.test"])
        #expect(told.map(\.body) == Array(repeating: "fail failed 3 times in a row. The log says why.", count: 2))
        #expect(stage.sink.lines.filter { $0.hasPrefix("warning trouble:") }.count == 1)
        _ = stage.said()
        stage.pass(.seconds(3_600))
        stage.hears("!fail")
        #expect(stage.said().contains("fail failed 6 times in a row. The log says why."))
    }

    @Test("errors that an author means for the person, wrong usage and cancelled commands are no trouble")
    func noTrouble() throws {
        let stage = try Stage(opsBot)
        for _ in 0..<5 {
            stage.hears("!sorry")
            stage.hears("!ping too much")
        }
        #expect(!stage.chat.messages.contains { $0.to.bareText == "admin@example.test" })
    }

    @Test("a command that runs out of time again and again is a trouble, too")
    func slow() throws {
        let stage = try Stage(LaneTests.bot(["alice@example.test": Gate()]))
        for _ in 0..<3 {
            stage.hears("!slow 1")
            stage.pass(.seconds(30))
        }
        #expect(stage.said().contains("slow failed 3 times in a row. The log says why."))
    }

    @Test("the configuration names who hears of it; nobody is nobody")
    func notified() throws {
        let carol = try JID("carol@else.example")
        let named = try Stage(opsBot) { $0.notified = [carol] }
        named.desk.speakUp(.journalRecovered, at: named.moment)
        #expect(named.chat.messages.map(\.to) == [carol])
        let silent = try Stage(opsBot) { $0.notified = [] }
        silent.desk.speakUp(.journalRecovered, at: silent.moment)
        #expect(silent.said() == [])
        #expect(silent.sink.lines.contains { $0.hasPrefix("warning trouble: The journal can be written again") })
    }
}
