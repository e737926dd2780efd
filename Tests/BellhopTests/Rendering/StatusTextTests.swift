import BellhopXMPP
import Testing

@testable import Bellhop

@Suite("Status")
struct StatusTextTests {
    static let noon = Timestamp(milliseconds: 1_700_000_000_000)

    static var online: BotStatus {
        BotStatus(
            version: "1.2.3", account: "bot@example.org", connection: .online, since: noon,
            login: BotStatus.Login(
                jid: "bot@example.org/main", server: "192.0.2.1:5222", tls: "TLS 1.3", mechanism: "SCRAM-SHA-256"),
            contacts: 3, requests: 1, queued: 0, failed: 2, logged: 1_234, pause: nil, trouble: nil, started: noon,
            uptime: 273_600)
    }

    static var offline: BotStatus {
        var status = online
        status.connection = .waiting(until: noon + .seconds(30))
        status.login = nil
        status.queued = nil
        status.failed = nil
        status.pause = BotStatus.Pause(since: noon, by: "ann@example.org\u{1B}[2J", commands: 1)
        status.trouble = BotStatus.Trouble(reason: "no route\nto host", at: noon)
        return status
    }

    @Test("a bot that is online tells everything that is known")
    func whole() {
        #expect(
            StatusText.text(Self.online) { _ in 3_600 } == """
                state: online since 2023-11-14 23:13:20 +01:00
                account: bot@example.org/main
                server: 192.0.2.1:5222, TLS 1.3, SCRAM-SHA-256
                contacts: 3
                requests waiting: 1
                messages to send: 0
                messages that came back: 2 in the last day
                messages logged: 1234
                version: 1.2.3, running for 3 d 4 h
                """)
    }

    @Test("a bot that is not online tells since when, what is next and why; nothing in it breaks a line or a terminal")
    func broken() {
        #expect(
            StatusText.text(Self.offline) { _ in 0 } == """
                state: waiting until 2023-11-14 22:13:50 +00:00; not online since 2023-11-14 22:13:20 +00:00
                paused: since 2023-11-14 22:13:20 +00:00 by ann@example.org\\u{1b}[2J; 1 command waits
                account: bot@example.org
                contacts: 3
                requests waiting: 1
                messages to send: not known; the journal cannot be read
                messages that came back: not known; the journal cannot be read
                messages logged: 1234
                last error: 2023-11-14 22:13:20 +00:00: no route\\nto host
                version: 1.2.3, running for 3 d 4 h
                """)
        var connecting = Self.offline
        connecting.connection = .connecting
        #expect(StatusText.text(connecting) { _ in 0 }.hasPrefix("state: connecting; not online since 2023-11-14"))
    }

    @Test(
        "a time is shown in its two largest units",
        arguments: [
            (0, "0 s"), (59, "59 s"), (60, "1 min 0 s"), (3_599, "59 min 59 s"), (3_600, "1 h 0 min"),
            (86_399, "23 h 59 min"), (86_400, "1 d 0 h"), (Int.max, "106751991167300 d 15 h"), (-1, "-1 s"),
        ])
    func periods(seconds: Int, text: String) { #expect(StatusText.period(seconds) == text) }

    @Test("a status is one line of JSON that reads back as itself")
    func json() throws {
        var connecting = Self.online
        connecting.connection = .connecting
        connecting.login?.tls = nil
        for status in [Self.online, Self.offline, connecting] {
            let answer = ControlAnswer.status(status)
            #expect(!answer.json.contains { $0.isNewline })
            #expect(try ControlAnswer(json: Array(answer.json.utf8), sizeLimit: 10_000) == answer)
        }
        #expect(
            Self.offline.json
                == "{\"state\":\"waiting\",\"since\":\"2023-11-14T22:13:20.000Z\",\"until\":\"2023-11-14T22:13:50.000Z\","
                + "\"account\":\"bot@example.org\",\"login\":null,\"contacts\":3,\"requests\":1,\"queued\":null,"
                + "\"failed\":null,\"logged\":1234,\"pause\":{\"since\":\"2023-11-14T22:13:20.000Z\","
                + "\"by\":\"ann@example.org\\u001b[2J\",\"commands\":1},\"trouble\":{\"reason\":\"no route\\nto host\","
                + "\"at\":\"2023-11-14T22:13:20.000Z\"},\"version\":\"1.2.3\",\"started\":\"2023-11-14T22:13:20.000Z\","
                + "\"uptime\":273600}")
    }

    @Test(
        "what is no status is not understood",
        arguments: [
            ("\"online\"", "\"asleep\""), ("\"online\"", "\"waiting\""), ("\"until\":null", "\"until\":\"soon\""),
            ("\"contacts\":3", "\"contacts\":3.5"), ("\"queued\":0", "\"queued\":\"0\""),
            ("\"pause\":null", "\"pause\":[]"),
            ("\"uptime\":273600", "\"uptime\":null"), ("\"uptime\":273600", "\"uptime\":1,\"more\":1"),
        ])
    func hostile(part: String, other: String) {
        let line = ControlAnswer.status(Self.online).json.replacing(part, with: other)
        #expect(throws: ControlFailure.self) { try ControlAnswer(json: Array(line.utf8), sizeLimit: 10_000) }
    }
}
