import BellhopDiagnostics
import Testing

@Suite("Log lines")
struct LogRendererTests {
    private let moment: Int64 = 1_796_005_860_123

    private func text(_ line: LogLine, _ format: LogFormat = .text, journald: Bool = false) -> String {
        LogRenderer(format: format, underJournald: journald).text(line, at: moment)
    }

    private func line(_ level: LogLevel, _ message: String, _ fields: [(String, String)] = []) -> LogLine {
        LogLine(level: level, event: "login", message: message, fields: fields.map { (name: $0.0, value: $0.1) })
    }

    @Test("a text line has time, level, event, sentence and fields")
    func plain() {
        let written = text(line(.info, "Logged in", [("host", "xmpp.example.org"), ("tls", "TLS 1.3")]))
        #expect(
            written == "2026-11-30T02:31:00.123Z info  login: Logged in host=xmpp.example.org tls=\"TLS 1.3\"\n")
    }

    @Test("levels take five columns", arguments: zip(LogLevel.allCases, ["trace", "debug", "info ", "warn ", "error"]))
    func levels(level: LogLevel, column: String) {
        #expect(text(line(level, "x")) == "2026-11-30T02:31:00.123Z \(column) login: x\n")
        #expect(LogLevel(name: level.name) == level)
    }

    @Test("there is no level of another name")
    func noLevel() {
        #expect(LogLevel(name: "warn") == nil)
    }

    @Test(
        "journald gets the priority and no time",
        arguments: [
            (LogLevel.trace, "<7>"), (.debug, "<7>"), (.info, "<6>"), (.warning, "<4>"), (.error, "<3>"),
        ])
    func journald(level: LogLevel, prefix: String) {
        #expect(text(line(level, "x", [("a", "b")]), journald: true) == "\(prefix)login: x a=b\n")
        #expect(
            text(line(level, "x"), .json, journald: true)
                == "\(prefix){\"level\":\"\(level.name)\",\"event\":\"login\",\"message\":\"x\"}\n")
    }

    @Test("a JSON line keeps its fields apart from its own names")
    func json() {
        #expect(
            text(line(.info, "Logged in", [("level", "error"), ("q", "say \"hi\"")]), .json)
                == "{\"time\":\"2026-11-30T02:31:00.123Z\",\"level\":\"info\",\"event\":\"login\","
                + "\"message\":\"Logged in\",\"fields\":{\"level\":\"error\",\"q\":\"say \\\"hi\\\"\"}}\n")
    }

    @Test(
        "a value that could be misread is quoted",
        arguments: [
            ("", "\"\""), ("a b", "\"a b\""), ("a=b", "\"a=b\""), ("a\"b", "\"a\\\"b\""), ("a\\b", "\"a\\\\b\""),
            ("plain@example.org/Ü", "plain@example.org/Ü"), ("a\u{00A0}b", "\"a\u{00A0}b\""),
            ("a\nb", "\"a\\nb\""), ("\u{1B}[2J", "\"\\u{1b}[2J\""),
        ])
    func quoting(value: String, shown: String) {
        #expect(text(line(.info, "x", [("v", value)]), journald: true) == "<6>login: x v=\(shown)\n")
    }

    @Test(
        "nothing in a line starts another one",
        arguments: [
            "\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}", "\u{0B}", "\u{0C}", "\u{1B}", "\u{202E}", "\u{0}",
        ],
        LogFormat.allCases)
    func forging(breaker: String, format: LogFormat) {
        let nasty = "x\(breaker)2026-11-30T02:31:00.123Z error login: forged"
        let forged = LogLine(level: .info, event: nasty, message: nasty, fields: [(name: nasty, value: nasty)])
        for journald in [false, true] {
            let written = text(forged, format, journald: journald)
            #expect(written.hasSuffix("\n"))
            #expect(!written.dropLast().unicodeScalars.contains(where: VisibleText.isHarmful))
        }
    }

    @Test("a very long value is cut and says by how much")
    func long() {
        let written = text(line(.info, "x", [("v", String(repeating: "y", count: LogRenderer.valueLimit + 7))]))
        #expect(written.hasSuffix("y… (7 bytes more)\"\n"))
        #expect(written.utf8.count < LogRenderer.valueLimit + 200)
    }
}
