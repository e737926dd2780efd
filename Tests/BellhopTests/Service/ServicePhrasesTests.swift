import Testing

@testable import Bellhop

@Suite("What a service says")
struct ServicePhrasesTests {
    @Test("each sentence word for word")
    func sentences() {
        #expect(
            ServicePhrases.runsAsRoot(bot: "opsbot")
                == "opsbot runs as root, and so would everything that it starts; let a user of its own run it "
                + "(sudo scripts/install opsbot makes one)")
        #expect(
            ServicePhrases.upgraded("opsbot", from: "0.1.0", to: "0.2.0")
                == "opsbot was changed from version 0.1.0 to 0.2.0, and is online.")
        #expect(
            ServicePhrases.reloadRefused
                == "The configuration is wrong and was not applied; the bot goes on with the one that it has")
        #expect(ServicePhrases.nothingToReload == "This program has no configuration that it could read again")
    }
}
