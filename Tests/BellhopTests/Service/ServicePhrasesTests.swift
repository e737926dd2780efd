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
        let change = ConfigurationChanges(applied: ["admins"], postponed: ["account.jid", "journal.path"])
        #expect(
            ServicePhrases.answer(.done(change))
                == "The configuration was read again; what is named under restart holds from the next start on. "
                + "Changed: admins. Restart: account.jid, journal.path.")
        #expect(
            ServicePhrases.answer(.done(ConfigurationChanges(applied: [], postponed: [])))
                == "The configuration was read again; nothing in it has changed.")
        #expect(
            ServicePhrases.answer(.refused((1...12).map { "line \($0)" }))
                == ServicePhrases.reloadRefused + ":\n" + (1...10).map { "line \($0)\n" }.joined() + "and 2 more")
        #expect(
            ServicePhrases.reloadsWait
                == "Too many wait already for the configuration to be read again; ask once more in a moment")
        #expect(ServicePhrases.nothingToReload == "This program has no configuration that it could read again")
    }
}
