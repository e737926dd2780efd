import BellhopBot
import BellhopXML
import BellhopXMPP

@testable import Bellhop
@testable import BellhopTestServer

/// Plays the server (and sometimes the operator) of a case against a whole bot.
///
/// Facts stand in for time: silence is an answer to a ping with nothing else before it, "no further attempt" is the end
/// of the bot, and handlers are slow by a clock that the steps let pass.
final class CaseDriver {
    let file: CaseFile
    let variant: String?
    let server: TestServer
    let bot: BotUnderTest
    let connection: TestConnection
    let wire: Wire
    let stage: CaseStage
    /// Stanzas that a step gave a name.
    var saved: [String: Element] = [:]
    /// The id of the bot's last request.
    var lastRequest = ""
    /// How many stanzas the bot sent before the steps began.
    private(set) var sentBefore = 0
    private(set) var failures: [String] = []

    private init(
        _ file: CaseFile, _ variant: String?, _ server: TestServer, _ bot: BotUnderTest, _ connection: TestConnection
    ) {
        self.file = file
        self.variant = variant
        self.server = server
        self.bot = bot
        self.connection = connection
        wire = Wire(connection)
        stage = CaseStage(of: file.name)
    }

    /// Runs one variant of a case from a fresh start; what was wrong, in words.
    static func run(_ file: CaseFile, variant: String?, style: StandardBot.Style) async throws -> [String] {
        let domain = file.setup["account"]?.string.flatMap { try? JID($0).domain } ?? "bots.example.test"
        let stage = CaseStage(of: file.name)
        if stage == .configuring { return try await checkConfiguration(file) }
        let isClear = stage == .connected || stage == .clearStream
        let options = TestServerOptions(domain: domain, tls: isClear ? nil : try TestIdentity.shared.get().server)
        return try await TestServer.running(options) { server in
            try await BotConfiguration.inFolder { folder in
                let configuration = try Self.configuration(file, server, folder)
                let standard = StandardBot(style)
                return try await BotUnderTest.running(configuration, standard, registers: stage == .registering) {
                    bot in
                    let driver = CaseDriver(file, variant, server, bot, try await server.connection())
                    try await driver.play(folder: folder)
                    return driver.failures
                }
            }
        }
    }

    func fail(_ what: String) { failures.append("\(file.name)\(variant.map { "/\($0)" } ?? ""): \(what)") }

    private func play(folder: String) async throws {
        try await reachStage()
        sentBefore = wire.sent.count
        for step in file.steps(of: variant) { try await play(step) }
        bot.standard.clock.end()
        try await check(folder: folder)
    }

    private func reachStage() async throws {
        switch stage {
        case .configuring, .connected: break
        case .clearStream: try await openStream()
        case .secureStream:
            try await secure()
            try await openStream()
        case .offered, .registering:
            try await secure()
            let mechanisms =
                "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>"
                + "<mechanism>SCRAM-SHA-256</mechanism></mechanisms>"
            let register = "<register xmlns='http://jabber.org/features/iq-register'/>"
            try await connection.open(features: mechanisms + (stage == .registering ? register : ""))
        case .online:
            _ = try await connection.login(as: BotConfiguration.account, roster: Self.roster(file.setup))
        }
    }

    private func secure() async throws {
        try await connection.open(
            features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
        try await connection.secure()
    }

    /// Answers a stream header with one, and with nothing behind it.
    func openStream() async throws {
        let header = try await connection.expectStream()
        if header["to"] != server.options.domain { fail("a stream to \(header["to"] ?? "nobody")") }
        connection.send(
            "<?xml version='1.0'?><stream:stream xmlns='jabber:client' "
                + "xmlns:stream='http://etherx.jabber.org/streams' "
                + "from='\(server.options.domain)' id='s1' version='1.0'>")
    }
}
