import Testing

@testable import Bellhop
@testable import BellhopTestServer

/// What tests at an Openfire have in common.
protocol OpenfireStage {}

extension OpenfireStage {
    /// A bot whose account has this JID, and its first connection.
    func running(
        _ profile: OpenfireProfile, jid: String = "opsbot@chat.example.test", registers: Bool = false,
        roster: [OpenfireSession.Item] = [], configure: (inout Configuration) throws -> Void = { _ in },
        _ script: (TestServer, BotUnderTest, OpenfireStream) async throws -> Void
    ) async throws {
        try await TestServer.running(TestServerOptions(tls: profile.tls)) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder, jid: jid)
                try configure(&configuration)
                try await BotUnderTest.running(configuration, registers: registers) { bot in
                    let openfire = OpenfireStream(try await server.connection(), profile, roster: roster)
                    try await script(server, bot, openfire)
                }
            }
        }
    }

    /// The wire of a stream that answers roster changes by itself.
    func wire(_ openfire: OpenfireStream) -> Wire {
        let wire = Wire(openfire.connection)
        wire.answersRosterChanges = false
        return wire
    }

    func says(_ body: String, _ openfire: OpenfireStream, from sender: String = "alice@localhost/phone")
        -> String
    {
        OnlineBot.message(body, from: sender, to: openfire.bound)
    }
}
