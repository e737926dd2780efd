import BellhopClient
import BellhopCrypto
import BellhopEngine
import BellhopJournal
import BellhopTransport
import BellhopXMPP
import Testing

@testable import Bellhop

@Suite("What doctor says")
struct DoctorPhrasesTests {
    static let noon = Timestamp(milliseconds: 1_700_000_000_000)
    static let place = ServerTarget(Endpoint(host: "xmpp.example.org", port: 5222))
    static let direct = ServerTarget(Endpoint(host: "xmpp.example.org", port: 443), .directTLS)

    struct Case: Sendable, CustomTestStringConvertible {
        var fact: DoctorFact
        var verdict: Finding.Verdict
        var what: String
        var advice: String?
        var testDescription: String { what }

        init(_ fact: DoctorFact, _ verdict: Finding.Verdict, _ what: String, _ advice: String? = nil) {
            self.fact = fact
            self.verdict = verdict
            self.what = what
            self.advice = advice
        }
    }

    static func space(_ available: UInt64, files: UInt64 = 0) -> FileSystemSpace {
        FileSystemSpace(size: 1_000_000_000, free: available, available: available, files: files, freeFiles: 0)
    }

    static func checkup(_ messages: Int? = 12, version: Int64 = 4) -> JournalCheckup {
        JournalCheckup(version: version, known: 4, messages: messages, bytes: 40_960, logBytes: 0)
    }

    static let here: [Case] = [
        Case(.configurationRight(origin: "/etc/bot.json"), .ok, "/etc/bot.json is right."),
        Case(
            .configurationWrong(line: "bot.json:3:5: admins: is missing"), .failed, "bot.json:3:5: admins: is missing.",
            "mend it; check says whether it is right then"),
        Case(
            .configurationNote("roles.ops: No command is allowed to this role."), .note,
            "roles.ops: No command is allowed to this role."),
        Case(
            .secretMissing(line: "account.password: gone", botRuns: false), .failed, "account.password: gone.",
            "run doctor where the bot runs, as its user, or make the secret readable"),
        Case(
            .secretMissing(line: "account.password: gone", botRuns: true), .note, "account.password: gone.",
            "nothing, if only the bot is to read it: the one that runs has it, and is asked in place of a login"),
        Case(
            .secretMissing(line: "account.password.file: gone", botRuns: false, isUnmade: true), .failed,
            "account.password.file: gone.", "when the password is there, doctor logs in and looks further"),
        Case(.filesPrivate(journal: "/j.db"), .ok, "Nobody else can read the files of /j.db."),
        Case(
            .fileOpen(path: "/my j.db", mode: 0o644), .degraded, "Others can read or change /my j.db (mode 0644).",
            "chmod 600 '/my j.db'"),
        Case(
            .botRuns(StatusTextTests.online), .ok,
            "A bot runs and is online since 2023-11-14T22:13:20.000Z; it goes on undisturbed."),
        Case(
            .botRuns(StatusTextTests.offline), .degraded,
            "A bot runs and is not online since 2023-11-14T22:13:20.000Z: no route\\nto host.",
            "what is found below says why"),
        Case(.botDoesNotRun, .ok, "No bot runs with this journal."),
        Case(.botUnreachable(reason: "The bot did not answer"), .degraded, "The bot did not answer."),
        Case(.journal(path: "/j.db", checkup()), .ok, "/j.db is sound, 12 messages, 40 KB, version 4."),
        Case(
            .journal(path: "/j.db", checkup(nil, version: 3)), .note,
            "/j.db is sound, 40 KB, version 3, which the bot brings up to 4 at its start."),
        Case(
            .journalAbsent(path: "/j.db"), .note, "There is no journal /j.db yet; the bot makes it at its first start."),
        Case(
            .journalTrouble(.notADatabase(path: "/j.db")), .failed,
            "/j.db is no database and is left as it is; move it away, or set another journal.path."),
        Case(
            .journalNotWritable(path: "/j.db"), .failed, "This user cannot write the journal /j.db and its folder.",
            "run doctor as the bot's user, or give the folder to it, or set another journal.path"),
        Case(
            .journalLogLarge(path: "/j.db", bytes: 100_000_000), .degraded,
            "/j.db-wal has 100 MB, so nobody has copied it into the journal for long.",
            "end what reads the journal all the time (log show --follow, a backup), or start the bot, which copies it"),
        Case(.disk(folder: "/data", space(100_000_000)), .ok, "The disk of /data has room for 100 MB."),
        Case(
            .disk(folder: "/data", space(99_999_999)), .degraded, "The disk of /data has room for 99 MB.",
            "make room: when the disk is full, nothing more is logged, and later the bot takes no commands"),
        Case(
            .disk(folder: "/data", space(900_000_000, files: 5)), .degraded,
            "The disk of /data takes no further file.", "remove what is not needed there"),
        Case(.diskUnknown(folder: "/data"), .degraded, "How full the disk of /data is, the system does not say."),
    ]

    static func lookup(
        _ direct: ServiceLookup.Finding, _ start: ServiceLookup.Finding
    ) -> DoctorFact {
        let lookup = ServiceLookup(domain: "example.org", directTLS: direct, startTLS: start)
        return .lookup(lookup, lookup.plan { $0 })
    }

    static let names: [Case] = [
        Case(
            .serverNamed(place), .ok,
            "The configuration leads to xmpp.example.org:5222; no SRV records were asked for."),
        Case(
            lookup(
                .records([ServiceRecord(priority: 5, weight: 10, target: direct)]),
                .records([ServiceRecord(priority: 10, weight: 0, target: place)])), .ok,
            "_xmpps-client._tcp.example.org leads to xmpp.example.org:443 (priority 5, weight 10); "
                + "_xmpp-client._tcp.example.org leads to xmpp.example.org:5222 (priority 10, weight 0)."),
        Case(
            lookup(.none, .none), .note,
            "_xmpps-client._tcp.example.org is not there; _xmpp-client._tcp.example.org is not there; "
                + "so the server is looked for at example.org, port 5222."),
        Case(
            lookup(.notOffered, .notOffered), .failed,
            "_xmpps-client._tcp.example.org says that there is no such service; "
                + "_xmpp-client._tcp.example.org says that there is no such service.",
            "name the server in account.server, or have the SRV records mended, whose target \".\" says that there is none"
        ),
        Case(
            lookup(.failed(.unanswered), .failed(.refused(code: 2))), .degraded,
            "_xmpps-client._tcp.example.org is not known: the name server did not answer; "
                + "_xmpp-client._tcp.example.org is not known: the name server failed (SERVFAIL); "
                + "so the server is looked for at example.org, port 5222.",
            "see that this machine's name servers answer"
        ),
        Case(
            .addresses(host: "xmpp.example.org", ["192.0.2.1", "2001:db8::1"]), .ok,
            "xmpp.example.org is 192.0.2.1, 2001:db8::1."),
        Case(
            .noAddress(host: "xmpp.example.org", reason: "no address for xmpp.example.org: no such name", needed: true),
            .failed, "No address for xmpp.example.org: no such name.",
            "let the name servers know an address of xmpp.example.org, or name the server in account.server"),
        Case(
            .noAddress(
                host: "xmpp.example.org", reason: "no address for xmpp.example.org: no such name", needed: false),
            .degraded, "No address for xmpp.example.org: no such name; other places lead to the server.",
            "let the name servers know an address of xmpp.example.org, or name the server in account.server"),
        Case(
            .reached(place, address: "192.0.2.1", after: .milliseconds(12)), .ok,
            "xmpp.example.org:5222 took the connection at 192.0.2.1 in 12 ms."),
        Case(
            .notReached(place, sentence: "cannot reach xmpp.example.org, port 5222: Connection refused", needed: true),
            .failed, "Cannot reach xmpp.example.org, port 5222: Connection refused.",
            "see that the server runs and listens there, and that no firewall is between"),
        Case(
            .notReached(direct, sentence: "the server closed the connection", needed: false), .degraded,
            "xmpp.example.org:443 (direct TLS): the server closed the connection; other places work.",
            "see that the server runs and listens there, and that no firewall is between"),
        Case(
            .domainNotServed(place, sentence: "the server does not serve the domain example.org", needed: true),
            .failed,
            "xmpp.example.org:5222: the server does not serve the domain example.org.",
            "compare the domain of account.jid with those that the server is set up for; is it another server than was meant?"
        ),
        Case(
            .noStream(place, sentence: "what answered is no XMPP server: it opened <html>", needed: false), .degraded,
            "xmpp.example.org:5222: what answered is no XMPP server: it opened <html>; other places work.",
            "see that account.server or the SRV records lead to an XMPP server's port for clients; its log may say more"
        ),
        Case(
            .redirected(place, sentence: "the server sends us on"), .note,
            "xmpp.example.org:5222: the server sends us on."),
    ]

    @Test("each fact of this machine and of the names has its words and its weight", arguments: here + names)
    func words(of example: Case) {
        let finding = DoctorPhrases.finding(example.fact)
        #expect(finding.verdict == example.verdict)
        #expect(finding.what == example.what)
        #expect(finding.advice == example.advice)
    }

    @Test(
        "the end is the code of what failed first",
        arguments: [
            (.configurationWrong(line: "x"), .configuration),
            (.secretMissing(line: "x", botRuns: false), .configuration),
            (.secretMissing(line: "x", botRuns: true), nil),
            (.secretMissing(line: "x", botRuns: false, isUnmade: true), .configuration),
            (.journalNotWritable(path: "/j"), .cannotCreate),
            (.journalTrouble(.full(path: "/j")), .inputOutput), (.loginFailed(.loginRefused("x")), .loginRefused),
            (.loginFailed(.conflict("x")), .conflict), (.loginFailed(.failed("x")), .unavailable),
            (.loginFailed(.stopped), .unavailable), (.notReached(place, sentence: "x", needed: true), .unavailable),
            (.notReached(place, sentence: "x", needed: false), nil), (.noUpload, nil),
            (.domainNotServed(place, sentence: "x", needed: true, stop: .domainNotServed), .conflict),
            (.domainNotServed(place, sentence: "x", needed: true), .unavailable),
            (.noStream(place, sentence: "x", needed: true), .unavailable),
            (.certificateRefused(place, sentence: "x", nil, needed: true, stop: .keyNotPinned), .conflict),
            (.certificateRefused(place, sentence: "x", nil, needed: true), .unavailable),
            (.certificateRefused(place, sentence: "x", nil, needed: false, stop: nil), nil),
            (.notEncrypted(place, sentence: "x", needed: true, stop: .encryptionNotOffered), .conflict),
            (.noMechanism(place, sentence: "x", needed: true, stop: .loginRefused), .loginRefused),
        ] as [(DoctorFact, ExitCode?)])
    func codes(fact: DoctorFact, code: ExitCode?) {
        #expect(fact.exitCode == code)
    }

    @Test("the last line names what failed and what is degraded")
    func summary() {
        let failed = [Finding(.login, .failed, "a"), Finding(.dns, .failed, "b"), Finding(.dns, .failed, "c")]
        let degraded = [Finding(.clock, .degraded, "d"), Finding(.archive, .degraded, "e")]
        let fine = [Finding(.disk, .ok, "f"), Finding(.upload, .note, "g"), Finding(.session, .skipped, "h")]
        #expect(DoctorPhrases.summary(fine) == "The bot can work with this.")
        #expect(
            DoctorPhrases.summary(fine + degraded)
                == "The bot works, and does without something: archive, clock.")
        #expect(
            DoctorPhrases.summary(failed + degraded)
                == "The bot does not work like this: dns, login failed. Besides: archive, clock.")
    }
}
