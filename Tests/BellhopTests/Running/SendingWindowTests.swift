import Testing

@testable import Bellhop

@Suite("What may be on its way to a server")
struct SendingWindowTests {
    @Test("so much leaves, and more when the server has answered something behind it")
    func room() {
        var window = SendingWindow(size: 1_000)
        #expect(window.takes(5_000))
        window.sent(600)
        #expect(window.takes(400) && !window.takes(401))
        let first = window.asks()
        let second = window.asks()
        #expect(first && !second)
        window.sent(300)
        window.answered()
        #expect(window.takes(700) && !window.takes(701))
        let third = window.asks()
        #expect(third)
        window.answered()
        let fourth = window.asks()
        #expect(!fourth)
        #expect(window.takes(5_000))
    }

    @Test("a lost connection leaves nothing on its way")
    func clear() {
        var window = SendingWindow(size: 1_000)
        window.sent(900)
        _ = window.asks()
        window.clear()
        window.answered()
        #expect(window.takes(1_000))
        #expect(window == SendingWindow(size: 1_000))
    }
}
