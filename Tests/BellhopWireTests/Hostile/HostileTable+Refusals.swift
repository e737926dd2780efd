import Testing

@testable import Bellhop
@testable import BellhopTestServer

/// Refusals that invite to something weaker, and offers of nothing else.
extension HostileTable {
    private static let usable = "the bot can use SCRAM-SHA-512, SCRAM-SHA-256, SCRAM-SHA-1"

    private static func refusal(_ condition: String) -> String {
        "<failure xmlns='\(sasl)'><\(condition)/></failure>"
    }

    private static func refused(_ condition: String) -> String {
        condition == "not-authorized"
            ? "authentication failed for opsbot@bots.example.test: user name or password is wrong; "
                + "mend account.jid or account.password and start again"
            : "authentication refused for opsbot@bots.example.test (\(condition))"
    }

    private static let conditions = [
        "aborted", "account-disabled", "credentials-expired", "encryption-required", "incorrect-encoding",
        "invalid-authzid", "invalid-mechanism", "malformed-request", "mechanism-too-weak", "not-authorized",
        "no-such-condition",
    ]

    static let refusals: [HostileRow] =
        conditions.map { condition in
            HostileRow(
                "\(condition), and features that offer PLAIN alone", at: .offered,
                .ends(.loginRefused, refused(condition)), told: .name
            ) {
                _ = try await $0.connection.expect("auth", sasl)
                $0.connection.send(refusal(condition) + features(mechanisms(["PLAIN"])))
            }
        }
        + [
            HostileRow(
                "a refusal for now", at: .offered, .comesBack(refused("temporary-auth-failure")), told: .name
            ) {
                _ = try await $0.connection.expect("auth", sasl)
                $0.connection.send(refusal("temporary-auth-failure"))
            },
            HostileRow(
                "a refusal behind the proof", at: .offered, .ends(.loginRefused, refused("not-authorized")),
                told: .proof
            ) {
                try await $0.takeProof()
                $0.connection.send(refusal("not-authorized"))
            },
            HostileRow(
                "<success/> of another namespace", at: .offered,
                .comesBack("the server sent an unexpected <success> during the login"), told: .name
            ) {
                _ = try await $0.connection.expect("auth", sasl)
                $0.connection.send("<success/>")
            },
            HostileRow(
                "a stanza during the login", at: .offered,
                .comesBack("the server sent an unexpected <iq> during the login"), told: .name
            ) {
                _ = try await $0.connection.expect("auth", sasl)
                $0.connection.send(
                    "<iq type='set' id='p'><query xmlns='jabber:iq:roster'>"
                        + "<item jid='mallory@evil.example' subscription='both'/></query></iq>")
            },
            HostileRow(
                "only ways in that nobody knows", at: .opened,
                .ends(
                    .loginRefused,
                    "authentication is not possible: the server offers only X-OAUTH2, DIGEST-MD5, \(usable), PLAIN"),
                sends: features(mechanisms(["X-OAUTH2", "DIGEST-MD5"]))),
            HostileRow(
                "PLAIN alone, once SCRAM has worked", at: .online,
                .comesBack(
                    "authentication given up before anything was sent: the server offers PLAIN and no SCRAM now, and it took "
                        + "SCRAM-SHA-256 for opsbot@bots.example.test before, so somebody may sit between who is after the "
                        + "password; if the server was changed on purpose, the command login reset allows PLAIN again")
            ) { scene in
                scene.connection.drop()
                try await scene.bot.sink.expect("offline")
                try await scene.nextConnection()
                try await scene.secure()
                try await scene.connection.open(features: mechanisms(["PLAIN"]))
            },
            HostileRow(
                "the same challenge at each attempt: the bot's nonce is another one", at: .offered,
                .ends(
                    .loginRefused,
                    "authentication failed: what the server answered is no SCRAM; somebody may sit between"),
                told: .proof
            ) { scene in
                var challenge = ""
                try await scene.challenge { nonce in
                    challenge = "r=\(nonce)server,s=c2FsdCBvZiBvcHNib3Q=,i=4096"
                    return challenge
                }
                _ = try await scene.connection.expect("response", sasl)
                scene.connection.drop()
                try await scene.bot.sink.expect("offline")
                try await scene.nextConnection()
                try await scene.reach(.offered)
                try await scene.challenge { _ in challenge }
                // The proof is the first attempt's.
                #expect(!scene.connection.unread.contains { $0.contains("<response") })
            },
            HostileRow(
                "a login that is cut behind the bot's proof, then PLAIN alone", at: .offered,
                // Nothing was proved, so PLAIN is what the operator has allowed: inside TLS, to the certificate's owner.
                .isOnlineAgain, told: .password
            ) { scene in
                try await scene.takeProof()
                scene.connection.drop()
                try await scene.bot.sink.expect("offline")
                try await scene.nextConnection()
                try await scene.secure()
                try await scene.connection.open(features: mechanisms(["PLAIN"]))
                _ = try await scene.connection.authenticate(BotConfiguration.account)
                try await scene.bind()
                try await scene.sendRoster()
            },
        ]
}
