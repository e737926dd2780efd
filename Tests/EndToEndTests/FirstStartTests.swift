import FoundationEssentials
import Glibc
import Testing

@Suite("The first start")
struct FirstStartTests {
    @Test("in an empty home the folder of the journal is made, private, and nothing was said yet")
    func emptyHome() async throws {
        let home = FileManager.default.temporaryDirectory.path + "/home-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        let environment = [
            "HOME": home, "XDG_STATE_HOME": "", "STATE_DIRECTORY": "", "XDG_CONFIG_HOME": "", "BELLHOP_CONFIG": "",
            "BELLHOP_JID": "bot@localhost", "BELLHOP_PASSWORD": "secret",
        ]
        let requests = try await Product.echobot.run(["requests"], environment: environment)
        #expect(requests.end == .exited(0), "\(requests.errors)")
        #expect(requests.output == "No request is waiting.\n")
        var facts = stat()
        #expect(unsafe stat(home + "/.local/state/bellhop/echobot", &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o700)
        let log = try await Product.echobot.run(["log", "list"], environment: environment)
        #expect(log.end == .exited(0), "\(log.errors)")
        #expect(log.errors.contains("Nothing was said yet"))
    }
}
