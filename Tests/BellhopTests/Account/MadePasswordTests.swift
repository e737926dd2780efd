import BellhopDiagnostics
import Testing

@testable import Bellhop

@Suite("Where a password is made")
struct MadePasswordTests {
    private func load(
        _ password: String, _ surroundings: FakeSurroundings = FakeSurroundings()
    ) throws -> LoadedConfiguration {
        let text = "{\"account\": {\"jid\": \"bot@example.org\"\(password)}}"
        let loader = ConfigurationLoader(
            bot: "echobot", surroundings: surroundings.having("/etc/bot/echo.json", text), makesPassword: true)
        return try loader.load(file: "/etc/bot/echo.json").get()
    }

    @Test(
        "without account.password it is beside the configuration, and the configuration does not name it",
        arguments: ["", ", \"password\": null"])
    func unnamed(password: String) throws {
        let loaded = try load(password)
        #expect(loaded.lacksPassword && !loaded.namesPassword)
        #expect(loaded.configuration.account.passwordFile == "/etc/bot/echo.password")
    }

    @Test("a file that is named and not there is made, and one that is there is read")
    func named() throws {
        let loaded = try load(", \"password\": {\"file\": \"pw\"}")
        #expect(loaded.lacksPassword && loaded.namesPassword)
        #expect(loaded.configuration.account.passwordFile == "/etc/bot/pw")
        let again = try load(", \"password\": {\"file\": \"pw\"}", FakeSurroundings().having("/etc/bot/pw", "made\n"))
        #expect(!again.lacksPassword && again.configuration.account.password == Secret("made"))
        let unnamed = try load("", FakeSurroundings().having("/etc/bot/echo.password", "made\n"))
        #expect(!unnamed.lacksPassword && unnamed.configuration.account.password == Secret("made"))
    }

    @Test("a password that is elsewhere stays there, and what is wrong with it is said as always")
    func elsewhere() throws {
        let plain = try load(", \"password\": \"secret\"")
        #expect(!plain.lacksPassword && plain.configuration.account.passwordFile == nil)
        #expect(plain.configuration.account.password == Secret("secret"))
        #expect(throws: ConfigurationReport.self) { try load(", \"password\": {\"env\": \"NONE\"}") }
        #expect(throws: ConfigurationReport.self) { try load(", \"password\": {}") }
        #expect(throws: ConfigurationReport.self) { try load(", \"password\": {\"file\": \"a\", \"env\": \"B\"}") }
        #expect(throws: ConfigurationReport.self) {
            try load(", \"password\": {\"file\": \"pw\"}", FakeSurroundings().having("/etc/bot/pw", ""))
        }
    }

    @Test("without a file it is beside the journal")
    func environment() throws {
        var surroundings = FakeSurroundings()
        surroundings.variables["BELLHOP_JID"] = "bot@example.org"
        let loader = ConfigurationLoader(bot: "echobot", surroundings: surroundings, makesPassword: true)
        let loaded = try loader.load(file: nil).get()
        #expect(loaded.lacksPassword)
        #expect(loaded.configuration.account.passwordFile == "/home/op/.local/state/bellhop/echobot/password")
    }

    @Test("whoever does not make one still needs one")
    func needed() {
        #expect(
            FakeSurroundings().complaints("{\"account\": {\"jid\": \"bot@example.org\"}}").contains {
                $0.contains("account.password")
            })
    }

    @Test("a change that was interrupted is noted")
    func interrupted() throws {
        let surroundings = FakeSurroundings().having("pw", "old\n").having("pw.new", "new\n")
        let text = "{\"account\": {\"jid\": \"bot@example.org\", \"password\": {\"file\": \"pw\"}}}"
        #expect(
            try surroundings.load(text).get().notes == [
                "account.password.file: a change of the password was interrupted, and the new one waits in pw.new; "
                    + "echobot passwd finishes it."
            ])
        // What passwd cannot finish either is not promised.
        #expect(
            try surroundings.having("pw.new", "two\nlines\n").load(text).get().notes == [
                "account.password.file: pw.new should hold the new password of a change that was interrupted, and cannot: "
                    + "it holds more than one line. Look at it, and move it away."
            ])
    }
}
