import Bellhop
import Testing

@testable import opsbot

@Suite("The ops bot")
struct OpsBotTests {
    @Test("its declaration has no mistake", arguments: ["!", "/", "."])
    func declaration(prefix: String) {
        #expect(OpsBot.bot.problems(prefix: prefix) == [])
    }

    @Test("its settings have the defaults that are documented")
    func defaults() {
        let settings = OpsSettings()
        #expect(settings.restart == [])
        #expect(settings.logLines == 20)
        #expect(settings.diskWarning == 90)
        #expect(settings.reachTimeout == .seconds(5))
    }
}
