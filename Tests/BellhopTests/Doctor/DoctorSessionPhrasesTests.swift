import BellhopEngine
import BellhopTransport
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopClient
@testable import BellhopCrypto

@Suite("What doctor says of TLS, logins and sessions")
struct DoctorSessionPhrasesTests {
    private typealias Case = DoctorPhrasesTests.Case
    private static let place = DoctorPhrasesTests.place
    private static let noon = DoctorPhrasesTests.noon
    private static let pin = CertificatePin(key: [])

    private static func certificate(days: Int64, names: [String] = ["example.org"]) -> CertificateFacts {
        CertificateFacts(
            names: names, furtherNames: 0, commonName: nil, issuer: "R3", notBefore: 0,
            notAfter: 1_700_000_000 + days * 86_400, pin: pin)
    }

    private static var login: AccountEvent.Login {
        get throws {
            AccountEvent.Login(
                bound: try JID("bot@example.org/main-doctor-1"), address: "192.0.2.1", port: 5222, tls: "TLS 1.3",
                mechanism: "SCRAM-SHA-256-PLUS (tls-exporter)", certificateEnd: nil, largestStanza: nil)
        }
    }

    private func expect(_ example: Case, _ location: SourceLocation = #_sourceLocation) {
        let finding = DoctorPhrases.finding(example.fact)
        #expect(finding.verdict == example.verdict, sourceLocation: location)
        #expect(finding.what == example.what, sourceLocation: location)
        #expect(finding.advice == example.advice, sourceLocation: location)
    }

    @Test("TLS and certificates")
    func encryption() {
        expect(
            Case(
                .encrypted(Self.place, version: "TLS 1.3", cipher: "TLS_AES_256_GCM_SHA384"), .ok,
                "xmpp.example.org:5222 speaks TLS 1.3 (TLS_AES_256_GCM_SHA384)."))
        expect(
            Case(
                .notEncrypted(Self.place, sentence: "no encrypted connection to example.org: eof", needed: true),
                .failed, "xmpp.example.org:5222: no encrypted connection to example.org: eof."))
        expect(
            Case(
                .inTheClear(Self.place), .degraded, "The stream to xmpp.example.org:5222 is not encrypted.",
                "use it on this machine only; account.encryption \u{201C}required\u{201D} is the default"))
        expect(
            Case(
                .certificate(Self.certificate(days: 14), overlooked: [], datesCount: true, now: Self.noon), .ok,
                "The server's certificate is trusted for another 14 days: for example.org, signed by R3, valid until "
                    + "2023-11-28, key \(Self.pin)."))
        expect(
            Case(
                .certificate(Self.certificate(days: 1), overlooked: [], datesCount: true, now: Self.noon), .degraded,
                "The server's certificate is trusted for another 1 day: for example.org, signed by R3, valid until "
                    + "2023-11-15, key \(Self.pin).",
                "renew it on the server; when it is over, the bot does not log in any more"))
        let many = (1...7).map { "n\($0).example" }
        expect(
            Case(
                .certificate(
                    Self.certificate(days: -1, names: many), overlooked: [.expired], datesCount: false, now: Self.noon),
                .note,
                "The server's certificate has a pinned key and is taken, whatever else is wrong with it: for n1.example, "
                    + "n2.example, n3.example, n4.example, n5.example and 2 more, signed by R3, valid until 2023-11-13, "
                    + "key \(Self.pin)."))
        expect(
            Case(
                .certificateRefused(
                    Self.place, sentence: "the certificate of example.org has expired", Self.certificate(days: -1),
                    needed: false), .degraded,
                "xmpp.example.org:5222: the certificate of example.org has expired; other places work. It is for "
                    + "example.org, signed by R3, valid until 2023-11-13, key \(Self.pin)."))
    }

    @Test("the days of a certificate are whole, and never trap")
    func days() {
        #expect(Self.certificate(days: 3).daysLeft(at: Self.noon) == 3)
        #expect(Self.certificate(days: 3).daysLeft(at: Self.noon + .seconds(1)) == 2)
        #expect(Self.certificate(days: 0).daysLeft(at: Self.noon + .seconds(1)) == -1)
        let pin = Self.pin
        for end in [Int64.min, .max] {
            let facts = CertificateFacts(
                names: [], furtherNames: 0, commonName: nil, issuer: nil, notBefore: 0, notAfter: end, pin: pin)
            #expect((facts.daysLeft(at: Self.noon) > 0) == (end > 0))
        }
    }

    @Test("ways to log in")
    func mechanisms() {
        expect(
            Case(
                .mechanisms(
                    Self.place, offered: ["SCRAM-SHA-1-PLUS", "SCRAM-SHA-1"], bindings: ["tls-exporter"],
                    login: "SCRAM-SHA-1-PLUS (tls-exporter)"), .ok,
                "xmpp.example.org:5222 offers SCRAM-SHA-1-PLUS, SCRAM-SHA-1 (channel binding: tls-exporter); the bot takes "
                    + "SCRAM-SHA-1-PLUS (tls-exporter)."))
        var sasl2 = SASL2Offer()
        sasl2.mechanisms = ["SCRAM-SHA-1"]
        expect(
            Case(
                .mechanisms(
                    Self.place, offered: ["SCRAM-SHA-1"], bindings: nil, sasl2: sasl2, login: "SCRAM-SHA-1"), .ok,
                "xmpp.example.org:5222 offers SCRAM-SHA-1; the same by SASL2; the bot takes SCRAM-SHA-1."))
        sasl2.resumes = true
        sasl2.binds = true
        sasl2.tokens = ["HT-SHA-256-NONE"]
        expect(
            Case(
                .mechanisms(Self.place, offered: [], bindings: nil, sasl2: sasl2, login: "SCRAM-SHA-1"), .ok,
                "xmpp.example.org:5222 offers SCRAM-SHA-1 by SASL2 with resumption, binding, tokens along with it; the bot takes "
                    + "SCRAM-SHA-1."))
        let advice = "let the server offer SCRAM-SHA-256 or SCRAM-SHA-1, then set account.allowPlain to false"
        expect(
            Case(
                .mechanisms(Self.place, offered: ["PLAIN"], bindings: nil, login: "PLAIN"), .degraded,
                "xmpp.example.org:5222 offers PLAIN; the bot takes PLAIN, by which the server learns the password.",
                advice))
        expect(
            Case(
                .mechanisms(Self.place, offered: [], bindings: nil, login: "jabber:iq:auth"), .degraded,
                "xmpp.example.org:5222 offers nothing but the old login; the bot takes jabber:iq:auth, by which the server "
                    + "learns the password.", advice))
        expect(
            Case(
                .noMechanism(Self.place, sentence: "authentication is not possible", needed: true), .failed,
                "xmpp.example.org:5222: authentication is not possible."))
    }

    @Test("the login")
    func login() throws {
        expect(
            Case(
                .loggedIn(try Self.login, after: .milliseconds(80)), .ok,
                "Logged in as bot@example.org/main-doctor-1 at 192.0.2.1 port 5222 with TLS 1.3 and SCRAM-SHA-256-PLUS "
                    + "(tls-exporter) in 80 ms."))
        expect(Case(.loginFailed(.loginRefused("authentication failed")), .failed, "Authentication failed."))
        expect(
            Case(.loginSkipped(.noPlace), .skipped, "Nobody logged in, since no place leads to the server."))
        expect(
            Case(
                .loginSkipped(.noSecret), .skipped,
                "Nobody logged in, since a secret of the configuration is out of reach."))
        expect(
            Case(
                .loginSkipped(.machine("no threads")), .skipped,
                "Nobody logged in: the machine does not give what is needed: no threads."))
        expect(
            Case(
                .sessionSkipped, .skipped, "There was no session, so what the server has for one was not looked at."))
    }

    @Test("what the server has for a session")
    func session() {
        let lost = "messages can be lost or be late when the line breaks, and contacts see the bot go and come."
        let managed = "turn on stream management with resumption on the server (XEP-0198)"
        let cases: [Case] = [
            Case(.roster(contacts: 1), .ok, "The roster has 1 contact."),
            Case(
                .roster(contacts: nil), .degraded,
                "The server did not send the roster, so the bot knows no contacts and no groups.",
                "look into the server's log"),
            Case(.ping(.milliseconds(3)), .ok, "The server answers a ping in 3 ms."),
            Case(
                .ping(nil), .degraded,
                "The server did not answer a ping, so a silent line is taken for dead after account.ping.timeout.",
                "let the server answer pings (XEP-0199), or set account.ping.every to off"),
            Case(
                .stream(.used(isResumable: true)), .ok,
                "Stream management is on, and a broken stream goes on where it broke."),
            Case(
                .stream(.used(isResumable: false)), .degraded,
                "Stream management is on, but a broken stream cannot go on: nothing is lost in silence, but contacts see "
                    + "the bot go and come.", managed),
            Case(
                .stream(.refused), .degraded, "The server offers stream management and refuses it: " + lost, managed),
            Case(.stream(.notOffered), .degraded, "The server has no stream management: " + lost, managed),
            Case(.stream(.unused), .degraded, "Stream management is not used on this session."),
            Case(.archive(isThere: true), .ok, "The server keeps an archive for the account."),
            Case(
                .archive(isThere: false), .degraded,
                "The server keeps no archive for the account: what was said while the bot was away may be lost, and a "
                    + "reply whose fate a crash left open is sent again.",
                "turn on the server's message archive (XEP-0313)"),
            Case(.archive(isThere: nil), .skipped, "The server did not say whether it keeps an archive."),
            Case(.archivePreferences(.always), .ok, "Everything is archived."),
            Case(
                .archivePreferences(.roster), .note,
                "Only what is said with contacts is archived; of others nothing can be read later."),
            Case(
                .archivePreferences(.never), .degraded, "The account's preferences say that nothing is archived.",
                "let the server archive by default, or change the preferences of the account with a client"),
            Case(
                .carbons(isThere: true), .ok,
                "What other devices of the account say is copied to the bot (carbons)."),
            Case(
                .carbons(isThere: false), .note,
                "The server makes no copies of what other devices of the account say, so the log is without it."),
            Case(.carbons(isThere: nil), .skipped, "The server did not say what it can do."),
            Case(
                .upload(address: "files.example.org", largest: 10_485_760), .ok,
                "files.example.org takes files up to 10 MB."),
            Case(.upload(address: "files.example.org", largest: nil), .ok, "files.example.org takes files."),
            Case(
                .noUpload, .note,
                "The server takes no files (XEP-0363), which a bot that only writes does not need."),
            Case(.uploadUnknown, .skipped, "The server did not say which services it has."),
            Case(
                .limits(bytes: 262_144, idleSeconds: 600), .ok,
                "The server takes stanzas up to 262144 bytes and silence of up to 600 s."),
            Case(
                .limits(bytes: nil, idleSeconds: nil), .note,
                "The server does not announce its limits, so the bot finds them out."),
            Case(.clock(lead: .milliseconds(-4_900)), .ok, "Both clocks agree within 5 s."),
            Case(
                .clock(lead: .seconds(-3_600)), .degraded,
                "This machine's clock is 3600 s behind the server's, so times in the log and schedules are off; late "
                    + "messages are judged by the server's clock.",
                "set the clock of the machine that is wrong (timedatectl set-ntp true)"),
            Case(.clock(lead: nil), .skipped, "The server does not say what time it is."),
        ]
        for example in cases { expect(example) }
    }
}
