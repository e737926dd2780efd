import BellhopCrypto
import BellhopDiagnostics
import BellhopEngine
import BellhopXMPP
import Testing

@testable import BellhopClient

@Suite("What is said of logins that failed")
struct SASLPhrasesTests {
    private func settings(_ change: (inout AccountSettings) -> Void = { _ in }) throws -> AccountSettings {
        var settings = AccountSettings(jid: try JID("bot@example.org"), password: Secret("secret"))
        change(&settings)
        return settings
    }

    private func sentence(_ failure: SASLFailure, _ settings: AccountSettings) -> String {
        LoginPhrases.sentence(.negotiation(.login(failure)), settings: settings)
    }

    static let sentences: [(SASLFailure, String)] = [
        (
            .plainAfter(.scramSHA256),
            "authentication given up before anything was sent: the server offers PLAIN and no SCRAM now, and it took "
                + "SCRAM-SHA-256 for bot@example.org before, so somebody may sit between who is after the password; if the "
                + "server was changed on purpose, the command login reset allows PLAIN again"
        ),
        (
            .bindingRefused(.exporter, .notAuthorized, text: "Invalid channel binding"),
            "authentication refused for bot@example.org (not-authorized): \u{201C}Invalid channel binding\u{201D}; user name or "
                + "password is wrong, or the server sees another TLS connection than the bot (tls-exporter): somebody may sit "
                + "between, or a proxy of the server's own that ends TLS, for which account.channelBinding "
                + "\u{201C}off\u{201D} is meant"
        ),
        (
            .bindingHidden,
            "authentication failed: the server can bind the login to the TLS connection, and what it offered as it arrived "
                + "here says that it cannot; somebody may sit between"
        ),
        (
            .serverNotGenuine(.offerChanged),
            "authentication given up: the server offered other ways to log in than those that arrived here; somebody may sit "
                + "between"
        ),
        (
            .certificateRefused(.notAuthorized, text: nil),
            "the server did not take the certificate as that of bot@example.org (not-authorized); it has to name the account, "
                + "and its authority has to be one that the server trusts"
        ),
        (
            .contradictoryOffer,
            "authentication given up before anything was sent: what the server offers by SASL2 contradicts itself (channel binding "
                + "without a mechanism for it, or the other way round), so somebody may sit between; if the server is just set up "
                + "so, account.channelBinding \u{201C}off\u{201D} does without"
        ),
        (
            .anotherAccount("carol@example.org"),
            "authentication given up: the server logged the bot in as carol@example.org, and not as bot@example.org; look into "
                + "the server's accounts, or mend account.jid"
        ),
        (
            .tasksWanted(["HOTP-EXAMPLE", "X"]),
            "authentication given up: besides the password the server wants \u{201C}HOTP-EXAMPLE\u{201D}, \u{201C}X\u{201D}, "
                + "which a bot cannot do; let the server exempt bot@example.org from it"
        ),
        (
            .tokenNotProven,
            "authentication failed: the server took the token of an earlier login and did not prove that it knows it; somebody "
                + "may sit between; the command login reset forgets the token"
        ),
        (
            .tasksWanted([]),
            "authentication given up: besides the password the server wants something that it does not name, which a bot cannot "
                + "do; let the server exempt bot@example.org from it"
        ),
        (
            .legacyShowsPassword,
            "authentication is not possible: the server has only jabber:iq:auth with the password itself; "
                + "account.allowPlain allows that inside TLS"
        ),
        (
            .noMechanism(offered: ["DIGEST-MD5", "jabber:iq:auth"], supported: ["SCRAM-SHA-1"]),
            "authentication is not possible: the server offers only DIGEST-MD5, jabber:iq:auth, the bot can use SCRAM-SHA-1; "
                + "account.allowLegacyLogin allows jabber:iq:auth"
        ),
        (
            .noMechanism(offered: ["urn:xmpp:sasl:2"], supported: ["SCRAM-SHA-1"]),
            "authentication is not possible: the server offers only urn:xmpp:sasl:2, the bot can use SCRAM-SHA-1; account.sasl2 "
                + "\u{201C}auto\u{201D} allows SASL2"
        ),
        (
            .noMechanism(offered: ["PLAIN"], supported: ["SCRAM-SHA-1"]),
            "authentication is not possible: the server offers only PLAIN, the bot can use SCRAM-SHA-1; "
                + "account.allowPlain allows PLAIN inside TLS"
        ),
    ]

    @Test("each failure has its sentence", arguments: sentences)
    func words(failure: SASLFailure, words: String) throws {
        #expect(sentence(failure, try settings()) == words)
    }

    @Test("what keeps a login from being bound is named, and who insists on it")
    func cannotBind() throws {
        let insists = "; account.channelBinding \u{201C}required\u{201D} insists on it, \u{201C}auto\u{201D} does not"
        let required = try settings { $0.channelBinding = .required }
        let start = "authentication given up before anything was sent: "
        #expect(
            sentence(.cannotBind(.nothingToBindTo, offered: []), required)
                == start + "there is no TLS connection that a login can be bound to" + insists)
        #expect(
            sentence(.cannotBind(.notOffered, offered: ["SCRAM-SHA-1"]), required)
                == start + "the server cannot bind a login to the TLS connection (it offers only SCRAM-SHA-1)" + insists
        )
        let other = ChannelBindingObstacle.noCommonType(listed: ["tls-unique"], ours: [.exporter, .serverEndPoint])
        #expect(
            sentence(.cannotBind(other, offered: []), try settings())
                == start + "the server binds a login to the TLS connection by tls-unique, the bot by tls-exporter, "
                + "tls-server-end-point")
    }
}
