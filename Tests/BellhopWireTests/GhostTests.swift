import BellhopDiagnostics
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Our own ghost on the server")
struct GhostTests {
    @Test(
        "a server that still sees the session of a cut line and refuses the resource is asked again, and the run goes on"
    )
    func refused() async throws {
        try await OnlineBot.running { online in
            online.wire.connection.drop()
            let second = try await online.server.connection()
            try await second.refuseBinding(as: BotConfiguration.account, with: "conflict")
            let line = try await online.bot.sink.expect("offline")
            #expect(line.message.contains("closed the connection") || line.message.contains("broke"))
            let refusal = try await online.bot.sink.expect("offline")
            #expect(refusal.message.contains("refused the resource main (conflict)"), "\(refusal.message)")
            #expect(refusal.fields.contains { $0.name == "next" && $0.value != "never" })
            let wire = try await online.reconnected()
            online.say("!ping", over: wire)
            try await wire.expect(body: "pong")
            #expect(try await online.stop(over: wire) == .success)
        }
    }

    @Test("on the first login of a run the same refusal is another instance's, and ends it with 76 and a remedy")
    func anotherInstance() async throws {
        try await TestServer.running(TestServerOptions(tls: try TestIdentity.shared.get().server)) { server in
            try await BotConfiguration.inFolder { folder in
                try await BotUnderTest.running(try BotConfiguration.standard(server, folder: folder)) { bot in
                    let connection = try await server.connection()
                    try await connection.refuseBinding(as: BotConfiguration.account, with: "conflict")
                    #expect(try await bot.ending() == .conflict)
                    let stop = try #require(bot.sink.lines.last { $0.event == "stop" })
                    #expect(stop.message.contains("choose another account.resource"))
                    #expect(server.connectionCount == 1)
                }
            }
        }
    }
}

extension TestConnection {
    /// Plays a login up to the request for a resource, and refuses that.
    fileprivate func refuseBinding(as account: String, with condition: String) async throws {
        if options.tls != nil {
            try await open(features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
            try await secure()
        }
        let mechanisms = options.mechanisms.map { "<mechanism>\($0)</mechanism>" }.joined()
        try await open(features: "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(mechanisms)</mechanisms>")
        _ = try await authenticate(account)
        try await open(features: "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>")
        let request = try await expect("iq", type: "set")
        send(
            "<iq type='error' id='\(request["id"] ?? "")'><error type='cancel'>"
                + "<\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
    }
}
