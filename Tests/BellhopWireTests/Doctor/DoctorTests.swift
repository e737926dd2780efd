import BellhopCrypto
import BellhopDiagnostics
import BellhopJournal
import BellhopTransport
import BellhopXMPP
import CertificateWorkshop
import Foundation
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("What doctor finds")
struct DoctorTests {
    private func said(_ facts: [DoctorFact]) -> [String] {
        facts.map(DoctorPhrases.finding).map { "\($0.verdict.rawValue) \($0.check.rawValue)" }
    }

    private func findings(_ facts: [DoctorFact], _ check: DoctorCheck) -> [Finding] {
        facts.map(DoctorPhrases.finding).filter { $0.check == check }
    }

    @Test("a healthy server is looked at once and logged in to once, and all is well")
    func healthy() async throws {
        let facts = try await DoctorStage.facts()
        #expect(
            said(facts) == [
                "note journal", "ok disk", "ok dns", "ok port", "ok tls", "ok certificate", "ok mechanisms",
                "ok login", "ok roster", "ok ping", "ok stream", "ok archive", "ok archive", "ok carbons", "ok upload",
                "ok limits", "ok clock",
            ])
        #expect(facts.allSatisfy { $0.exitCode == nil })
        #expect(facts.contains(.roster(contacts: 1)))
        #expect(facts.contains(.upload(address: "files.bots.example.test", largest: 5_242_880)))
        #expect(facts.contains(.limits(bytes: 262_144, idleSeconds: nil)))
        #expect(
            findings(facts, .mechanisms).first?.what.contains("SCRAM-SHA-256, SCRAM-SHA-1, PLAIN; the bot takes ")
                == true)
    }

    @Test("what the server lacks is degraded, and good to know where a bot can do without")
    func lacking() async throws {
        var traits = DoctorStage.Traits()
        traits.offersStreams = false
        traits.keepsArchive = false
        traits.copies = false
        traits.takesFiles = false
        traits.limits = ""
        traits.lead = nil
        let facts = try await DoctorStage.facts(traits)
        #expect(
            said(facts).suffix(9) == [
                "ok login", "ok roster", "ok ping", "degraded stream", "degraded archive", "note carbons",
                "note upload",
                "note limits", "skipped clock",
            ])
        #expect(facts.allSatisfy { $0.exitCode == nil })
    }

    @Test("a stream that cannot be resumed and an archive that keeps nothing are degraded")
    func weak() async throws {
        var traits = DoctorStage.Traits()
        traits.isResumable = false
        traits.archivePreferences = "never"
        let facts = try await DoctorStage.facts(traits)
        #expect(findings(facts, .stream).map(\.verdict) == [.degraded])
        #expect(findings(facts, .archive).map(\.verdict) == [.ok, .degraded])
    }

    @Test("a clock that is an hour off is degraded, on either side", arguments: [3_600, -3_600])
    func clock(lead: Int) async throws {
        var traits = DoctorStage.Traits()
        traits.lead = .seconds(lead)
        let clock = try #require(findings(try await DoctorStage.facts(traits), .clock).first)
        #expect(clock.verdict == .degraded)
        #expect(clock.what.contains(lead > 0 ? " behind the server's" : " ahead of the server's"))
        // Nobody knows how long an answer takes; it is an hour, give or take a few seconds.
        #expect(clock.what.contains(" 36") || clock.what.contains(" 359"))
    }

    @Test("a server with PLAIN alone is degraded where PLAIN is allowed, and failed where it is not")
    func plain() async throws {
        let allowed = try await DoctorStage.facts(mechanisms: ["PLAIN"]) { $0.account.connection.allowsPlain = true }
        #expect(findings(allowed, .mechanisms).map(\.verdict) == [.degraded])
        #expect(findings(allowed, .login).map(\.verdict) == [.ok])
        let refused = try await DoctorStage.facts(mechanisms: ["PLAIN"], logsIn: false)
        let mechanisms = try #require(findings(refused, .mechanisms).first)
        #expect(mechanisms.verdict == .failed)
        #expect(mechanisms.what.contains("account.allowPlain allows PLAIN inside TLS"))
        #expect(said(refused).suffix(2) == ["skipped login", "skipped session"])
        #expect(refused.compactMap(\.exitCode) == [.loginRefused])
    }

    @Test("a wrong password leaves all that is known without a login, and ends with 77")
    func wrongPassword() async throws {
        var traits = DoctorStage.Traits()
        traits.refusesLogin = true
        let facts = try await DoctorStage.facts(traits)
        #expect(
            said(facts) == [
                "note journal", "ok disk", "ok dns", "ok port", "ok tls", "ok certificate", "ok mechanisms",
                "failed login", "skipped session",
            ])
        #expect(facts.compactMap(\.exitCode) == [.loginRefused])
        #expect(findings(facts, .login).first?.what.contains("user name or password is wrong") == true)
    }

    @Test("an expired certificate is shown with its names, its end and its key, and nobody logs in")
    func expired() async throws {
        let workshop = try CertificateWorkshop.shared.get()
        let order = CertificateOrder("bots.example.test").with { $0.end = "20200201000000Z" }
        var traits = DoctorStage.Traits()
        traits.certificate = try .server(try workshop.make(order))
        let facts = try await DoctorStage.facts(traits, logsIn: false) {
            $0.account.connection.authorities = workshop.authority
        }
        let certificate = try #require(findings(facts, .certificate).first)
        #expect(certificate.verdict == .failed)
        #expect(
            certificate.what.contains("the certificate of bots.example.test has expired (on 2020-02-01); renew it"))
        #expect(certificate.what.contains("It is for bots.example.test, signed by "))
        #expect(certificate.what.contains("valid until 2020-02-01, key sha256:"))
        #expect(said(facts).suffix(2) == ["skipped login", "skipped session"])
    }

    @Test("a certificate that nobody vouches for is shown with the line that pins its key")
    func unknown() async throws {
        let workshop = try CertificateWorkshop.shared.get()
        var traits = DoctorStage.Traits()
        traits.certificate = try .server(try workshop.make(CertificateOrder("bots.example.test", signer: .itself)))
        let facts = try await DoctorStage.facts(traits, logsIn: false)
        let certificate = try #require(findings(facts, .certificate).first)
        #expect(certificate.verdict == .failed)
        #expect(certificate.what.contains("\"trust\": {\"pins\": [\"sha256:"))
        #expect(facts.lazy.compactMap(\.exitCode).first == .unavailable)
    }

    @Test("a key that is not the pinned one ends doctor as it ends the bot")
    func wrongPin() async throws {
        let pin = try #require(CertificatePin("sha256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))
        var traits = DoctorStage.Traits()
        traits.certificate = try TestIdentity.shared.get().server
        let facts = try await DoctorStage.facts(traits, logsIn: false) { $0.account.connection.pins = [pin] }
        #expect(try #require(findings(facts, .certificate).first).verdict == .failed)
        #expect(facts.lazy.compactMap(\.exitCode).first == .conflict)
    }

    @Test("a name that leads nowhere fails, and journal and disk are looked at all the same")
    func nowhere() async throws {
        try await TestNameServer.running(Zone()) { names in
            try await BotConfiguration.inFolder { folder in
                var configuration = Configuration(
                    jid: try JID(BotConfiguration.account), password: BotConfiguration.password)
                configuration.account.nameServer = .init(address: "127.0.0.1", port: names.port)
                configuration.journal.path = folder + "/j.db"
                let facts = try await DoctorStage.facts(configuration)
                #expect(
                    said(facts) == [
                        "note journal", "ok disk", "note dns", "failed dns", "skipped login", "skipped session",
                    ])
                #expect(names.questions.contains("SRV _xmpps-client._tcp.bots.example.test"))
            }
        }
    }

    @Test("a place that does not work beside one that does is degraded, and the bot gets in")
    func oneOfTwo() async throws {
        let options = TestServerOptions(tls: try TestIdentity.shared.get().server)
        try await TestServer.running(options) { server in
            var zone = Zone()
            zone.service("xmpp-client", of: "bots.example.test", priority: 1, port: 1, target: "dead.example.test")
            zone.service(
                "xmpp-client", of: "bots.example.test", priority: 2, port: server.port, target: "live.example.test")
            zone.add("dead.example.test", .address([127, 0, 0, 1]))
            zone.add("live.example.test", .address([127, 0, 0, 1]))
            try await TestNameServer.running(zone) { names in
                try await BotConfiguration.inFolder { folder in
                    var configuration = try BotConfiguration.standard(server, folder: folder)
                    configuration.account.server = nil
                    configuration.account.nameServer = .init(address: "127.0.0.1", port: names.port)
                    let facts = try await DoctorStage.facts(configuration, canLogIn: false) {
                        try await DoctorStage.show(try await server.connection(), DoctorStage.Traits())
                    }
                    #expect(findings(facts, .dns).map(\.verdict) == [.ok, .ok, .ok])
                    #expect(findings(facts, .port).map(\.verdict) == [.degraded, .ok])
                    #expect(facts.contains(.loginSkipped(.noSecret)))
                }
            }
        }
    }

    @Test("a journal that a bot writes is read beside it, and a damaged one is told of")
    func journal() async throws {
        try await BotConfiguration.inFolder { folder in
            let path = folder + "/j.db"
            let journal = try Journal(
                path: path, accounts: ["bot@example.org"], options: JournalOptions(), log: .silent)
            let facts = JournalExamination.facts(of: path, .whole)
            #expect(said(facts) == ["ok files", "ok journal", "ok disk"])
            _ = journal.close(now: .zero)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            #expect(
                JournalExamination.facts(of: path, .sample).contains(.fileOpen(path: path, mode: 0o644)))
            try Data("no database, for all of its hundred bytes and more, but a text that somebody put there".utf8)
                .write(to: URL(fileURLWithPath: path))
            let damaged = JournalExamination.facts(of: path, .whole)
            #expect(damaged.contains(.journalTrouble(.notADatabase(path: path))))
            #expect(damaged.compactMap(\.exitCode) == [.inputOutput])
        }
    }

    @Test("a folder that cannot be written fails", .disabled(if: geteuid() == 0, "root may write anywhere"))
    func readOnly() async throws {
        try await BotConfiguration.inFolder { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
            let facts = JournalExamination.facts(of: folder + "/j.db", .whole)
            #expect(facts.contains(.journalNotWritable(path: folder + "/j.db")))
            #expect(facts.compactMap(\.exitCode) == [.cannotCreate])
        }
    }
}
