import Bellhop
import BellhopXMPP
import Testing

@Suite("Showing the log")
struct LogRenderingTests {
    private let rendering = LogRendering { _ in 3600 }
    private let moment = Timestamp(milliseconds: 1_796_005_860_123)

    private func row(
        _ direction: LogDirection, _ body: String?, state: String = "handled", reason: String? = nil
    ) -> MessageRow {
        MessageRow(number: 7, time: moment, direction: direction, body: body, state: state, reason: reason)
    }

    @Test("in and out are told apart, with local time and its distance from UTC")
    func directions() {
        #expect(rendering.message(row(.incoming, "hello")) == "2026-11-30 03:31:00 +01:00  in   hello\n")
        #expect(
            rendering.message(row(.outgoing, "hello", state: "acknowledged"))
                == "2026-11-30 03:31:00 +01:00  out  hello\n")
        #expect(
            LogRendering(utc: true).message(row(.incoming, "hello")) == "2026-11-30 02:31:00 +00:00  in   hello\n")
    }

    @Test("what failed says why, in a way that no body can pose as")
    func failed() {
        let margin = String(repeating: " ", count: 33)
        #expect(
            rendering.message(row(.outgoing, "hello", state: "failed", reason: "remote-server-not-found\nx"))
                == "2026-11-30 03:31:00 +01:00  out! hello\n\(margin)[failed: remote-server-not-found\\nx]\n")
        #expect(
            rendering.message(row(.outgoing, "hello\n[failed: x]", state: "acknowledged"))
                == "2026-11-30 03:31:00 +01:00  out  hello\n\(margin)[failed: x]\n")
        #expect(
            rendering.message(row(.incoming, "x", state: "interrupted")).hasSuffix("in ! x\n\(margin)[interrupted]\n"))
    }

    @Test("a message without a body says so")
    func noBody() {
        #expect(rendering.message(row(.incoming, nil)).hasSuffix("in   (no text)\n"))
        #expect(rendering.message(row(.incoming, "")).hasSuffix("in   \n"))
        var blank = row(.incoming, nil)
        blank.length = 12
        #expect(rendering.message(blank).hasSuffix("in   (12 characters, not kept)\n"))
    }

    @Test(
        "no body starts a line of its own or moves the cursor",
        arguments: [
            "\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{0B}", "\u{1B}[1A\u{1B}[2K", "\u{9B}1A", "\u{202E}", "\u{8}",
        ])
    func tricks(trick: String) {
        let shown = rendering.message(row(.incoming, "a\(trick)2026-11-30 03:31:00 +01:00  out  forged"))
        let lines = shown.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.last == "")
        #expect(lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix(String(repeating: " ", count: 33)) })
        let harmful = shown.unicodeScalars.filter {
            $0 != "\n" && ($0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}")
        }
        #expect(harmful.isEmpty)
    }

    @Test("what is to be sent again and what was given up say so", arguments: ["requeued", "dropped"])
    func outbox(state: String) {
        let shown = rendering.message(row(.outgoing, "hello", state: state, reason: "by ann"))
        #expect(shown.hasSuffix("[\(state): by ann]\n"))
        #expect(rendering.message(row(.outgoing, "hello", state: state)).hasSuffix("[\(state)]\n"))
    }

    @Test("JSON has one object a line")
    func json() {
        #expect(
            LogRendering.messageJSON(row(.outgoing, "a\n\"b\"", state: "failed", reason: "x"))
                == "{\"number\":7,\"time\":\"2026-11-30T02:31:00.123Z\",\"direction\":\"out\",\"body\":\"a\\n\\\"b\\\"\","
                + "\"state\":\"failed\",\"reason\":\"x\"}\n")
        #expect(LogRendering.messageJSON(row(.incoming, nil)).contains("\"body\":null,"))
        let list = [
            ConversationRow(peer: "a@b", count: 2, last: moment, lastLine: "x\ny", direction: .incoming),
            ConversationRow(peer: "c@d", count: 1, last: moment, lastLine: nil, direction: .outgoing),
        ]
        #expect(
            LogRendering.listJSON(list)
                == "{\"peer\":\"a@b\",\"count\":2,\"last\":\"2026-11-30T02:31:00.123Z\",\"direction\":\"in\",\"line\":\"x\\ny\"}\n"
                + "{\"peer\":\"c@d\",\"count\":1,\"last\":\"2026-11-30T02:31:00.123Z\",\"direction\":\"out\",\"line\":null}\n"
        )
    }

    @Test("the list is a table of peers with their last line")
    func list() {
        let rows = [
            ConversationRow(
                peer: "ann@example.org", count: 12, last: moment, lastLine: "hello\nyou", direction: .outgoing),
            ConversationRow(
                peer: "山@例.jp", count: 1, last: moment, lastLine: String(repeating: "山", count: 50),
                direction: .incoming),
        ]
        #expect(
            rendering.list(rows) == """
                PEER             COUNT  LAST                             LAST LINE
                ann@example.org  12     2026-11-30 03:31:00 +01:00  out  hello
                山@例.jp         1      2026-11-30 03:31:00 +01:00  in   \(String(repeating: "山", count: 30))…

                """)
        #expect(rendering.list([]) == "Nothing was said yet.\n")
    }
}
