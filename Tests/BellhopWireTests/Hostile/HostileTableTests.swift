import BellhopCrypto
import BellhopDiagnostics
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopClient
@testable import BellhopTestServer

@Suite("The hostile table", .timeLimit(.minutes(5)))
struct HostileTableTests {
    @Test("what a hostile server does ends as the table says, and no secret leaves", arguments: HostileTable.rows)
    func row(_ row: HostileRow) async throws {
        let identity = try TestIdentity.shared.get()
        var options = TestServerOptions(tls: identity.server, mechanisms: ["SCRAM-SHA-256", "PLAIN"])
        options.accounts = ["opsbot": HostileScene.password]
        try await TestServer.running(options) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                configuration.account.password = Secret(HostileScene.password)
                // The temptation is there in every row.
                configuration.account.connection.allowsPlain = true
                let world = HostileWorld()
                try await BotUnderTest.running(
                    configuration, level: row.level,
                    change: { $0.world = world.loopWorld }
                ) { bot in
                    let scene = try await HostileScene(server, bot, world)
                    try await scene.reach(row.stage)
                    try await row.script(scene)
                    try await check(row.ending, scene)
                    if let warning = row.warning { #expect(bot.sink.lines.contains { $0.message == warning }) }
                    if let limit = row.limit { check(limit, taken: world.taken) }
                    checkSecrets(row, server, bot)
                }
            }
        }
    }

    private func check(_ ending: HostileRow.Ending, _ scene: HostileScene) async throws {
        switch ending {
        case .comesBack(let sentence): try await checkOffline(sentence, retries: true, scene)
        case .ends(let code, let sentence):
            try await checkOffline(sentence, retries: false, scene)
            #expect(try await scene.bot.ending() == code)
        case .cannotRead(let sentence, let error):
            try await checkOffline(sentence, retries: true, scene)
            let told = try await scene.connection.expect("error", "http://etherx.jabber.org/streams")
            #expect(told.children.map(\.name) == [error])
        case .isOnline, .isOnlineAgain:
            scene.connection.send(OnlineBot.message("!echo still here", from: "bob@example.test/x", id: "last"))
            _ = try await scene.connection.expect(body: "still here")
            if case .isOnline = ending { #expect(scene.connection.number == scene.server.connectionCount) }
        }
    }

    private func checkOffline(_ sentence: String, retries: Bool, _ scene: HostileScene) async throws {
        let line = try await scene.bot.sink.expect("offline")
        #expect(Self.says(line.message, "Not connected: " + sentence), "\(line.message)")
        let next = line.fields.first { $0.name == "next" }?.value
        #expect((next == "never") == !retries, "\(next ?? "nothing")")
    }

    /// Whether that is the sentence, in which each `…` stands for what is different each time: a key, a port.
    private static func says(_ message: String, _ sentence: String) -> Bool {
        var rest = message[...]
        let parts = sentence.split(separator: "…", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == 0 {
                guard rest.hasPrefix(part) else { return false }
                rest = rest.dropFirst(part.count)
            } else if index == parts.count - 1 {
                return rest.hasSuffix(part)
            } else {
                guard let place = rest.firstRange(of: part) else { return false }
                rest = rest[place.upperBound...]
            }
        }
        return rest.isEmpty
    }

    /// Of a server that sends without end so much is taken and no more, besides the streams before, the handshake, and what TLS adds to
    /// records of 16 KiB.
    private func check(_ limit: HostileRow.Limit, taken: Int) {
        let bytes =
            switch limit {
            case .beforeLogin: ParserLimits.beforeLogin.stanzaBytes
            case .attributesBeforeLogin: ParserLimits.beforeLogin.attributeBytes + Self.slice
            case .session: ParserLimits().stanzaBytes
            case .attributes: ParserLimits().attributeBytes + Self.slice
            case .roster: ParserLimits.rosterBytes
            }
        #expect(taken <= bytes + bytes / 256 + Self.besides)
        // A turn takes more than the lower limits at once.
        if case .session = limit { #expect(taken >= bytes / 2) }
    }

    /// What the parser gives to libxml2 at once.
    private static let slice = 16 << 10
    private static let besides = 24 << 10

    private func checkSecrets(_ row: HostileRow, _ server: TestServer, _ bot: BotUnderTest) {
        let search = SecretSearch(user: "opsbot", password: HostileScene.password)
        let heard = server.heard
        for connection in heard { #expect(search.told(in: connection.inClear) == .nothing) }
        let told = heard.map { search.told(in: $0.secured).rawValue }.max()
        #expect(told == row.told.rawValue, "\(heard.map { String(decoding: $0.secured.prefix(2_000), as: UTF8.self) })")
        let plain = Base64.encode(Array("\0opsbot\0\(HostileScene.password)".utf8))
        for line in bot.sink.text { #expect(!line.contains(HostileScene.password) && !line.contains(plain)) }
    }
}
