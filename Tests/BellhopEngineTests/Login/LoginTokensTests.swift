import BellhopEngine
import BellhopXMPP
import Testing

@Suite("Which tokens a client holds (XEP-0484)")
struct LoginTokensTests {
    private let first = LoginToken(.exporter, secret: "first")
    private let second = LoginToken(.exporter, secret: "second")
    private let third = LoginToken(.exporter, secret: "third")

    private func held(_ events: LoginTokens.Event...) -> [String] {
        var tokens = LoginTokens()
        for event in events { tokens.note(event) }
        return tokens.all.map(\.secret)
    }

    @Test("the token before the newest stays until the server has taken the newest, or there is a newer one")
    func rotation() {
        #expect(held(.granted(first)) == ["first"])
        #expect(held(.granted(first), .granted(second)) == ["second", "first"])
        #expect(held(.granted(first), .granted(second), .granted(third)) == ["third", "second"])
        #expect(held(.granted(first), .granted(second), .accepted(second)) == ["second"])
        #expect(held(.granted(first), .granted(second), .accepted(first)) == ["first"])
        #expect(held(.granted(first), .granted(second), .accepted(second), .granted(third)) == ["third", "second"])
        #expect(held(.granted(first), .granted(first)) == ["first"])
    }

    @Test("what is refused is gone, however often it was used")
    func refusal() {
        #expect(held(.granted(first), .granted(second), .refused(second.counted)) == ["first"])
        #expect(held(.granted(first), .granted(second), .refused(second), .refused(first)) == [])
        #expect(held(.granted(first), .refused(LoginToken(.unbound, secret: "first"))) == ["first"])
        #expect(held(.refused(first)) == [])
    }

    @Test("each login counts, and what has expired is not shown any more")
    func preparation() {
        let end = Timestamp(milliseconds: 1_000)
        var tokens = LoginTokens([
            LoginToken(.exporter, secret: "short", expiry: end), LoginToken(.exporter, secret: "long", count: 6),
        ])
        tokens.prepare(at: Timestamp(milliseconds: 999))
        #expect(tokens.all.map(\.count) == [1, 7])
        tokens.prepare(at: end)
        #expect(tokens.all.map(\.secret) == ["long"] && tokens.all.map(\.count) == [8])
        #expect(LoginToken(.exporter, secret: "x", count: .max).counted.count == .max)
    }

    @Test("a token shows itself nowhere")
    func hidden() {
        var dumped = ""
        dump(LoginTokens([first]), to: &dumped)
        dump(LoginTokens.Event.granted(first), to: &dumped)
        #expect(dumped.contains("token") && !dumped.contains("first"))
        #expect(!"\(first) \(LoginTokens([first])) \(LoginTokens.Event.refused(first))".contains("first"))
        #expect(!String(reflecting: first).contains("first"))
    }
}
