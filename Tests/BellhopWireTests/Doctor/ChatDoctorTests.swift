import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Doctor in the chat")
struct ChatDoctorTests {
    @Test("an admin hears how session, journal and disk are; others are told that they may not")
    func chat() async throws {
        let features = Discovery(server: ["urn:xmpp:carbons:2"], account: [])
        try await OnlineBot.running(discovery: features) { online in
            online.say("doctor", from: "alice@example.test/phone")
            try await online.wire.expect(body: "Sorry, you may not do that here.")
            online.say("doctor", from: "admin@example.test/phone")
            while true {
                let stanza = try await online.wire.expect("a question, or the answer") { stanza in
                    stanza.name == "message" || stanza["type"] == "get"
                }
                if stanza.name == "iq" {
                    online.wire.connection.send(
                        "<iq type='error' id='\(stanza["id"] ?? "")' from='\(stanza["to"] ?? "")'><error type='cancel'>"
                            + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
                    continue
                }
                let lines = stanza.body?.split(separator: "\n").map(String.init) ?? []
                #expect(stanza["to"] == "admin@example.test/phone" || stanza["to"] == "admin@example.test")
                #expect(lines.first == "The bot works, and does without something: stream, archive.")
                #expect(lines.contains { $0.hasPrefix("degraded, archive: The server keeps no archive") })
                #expect(lines.contains { $0.hasPrefix("ok, certificate: The server's certificate is trusted") })
                #expect(lines.contains { $0.hasPrefix("ok, login: Logged in as opsbot@bots.example.test/main at ") })
                #expect(lines.contains { $0.hasPrefix("ok, journal: ") && $0.contains(" is sound, ") })
                #expect(lines.contains { $0.hasPrefix("ok, carbons: ") })
                #expect(lines.contains { $0.hasPrefix("note, upload: ") })
                return
            }
        }
    }
}
