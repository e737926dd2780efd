import BellhopCrypto
import BellhopDiagnostics
import BellhopTransport
import BellhopXML
import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopTestServer

/// A doctor on a thread of its own, and what a server does for it: a look at what it offers, then a session.
struct DoctorStage {
    /// What the server has for a session.
    struct Traits: Sendable {
        var offersStreams = true
        var isResumable = true
        var keepsArchive = true
        var archivePreferences = "always"
        var copies = true
        var takesFiles = true
        var limits = "<limits xmlns='urn:xmpp:stream-limits:0'><max-bytes>262144</max-bytes></limits>"
        /// How far its clock is ahead of ours; nil for a server that does not tell the time.
        var lead: Duration? = .zero
        var refusesLogin = false
        /// Shown in place of the server's own certificate.
        var certificate: TLSContext?
    }

    private static let account = BotConfiguration.account
    private static let domain = "bots.example.test"

    /// What a doctor finds who knows this configuration, while the script plays the server.
    static func facts(
        _ configuration: Configuration, canLogIn: Bool = true, script: () async throws -> Void = {}
    ) async throws -> [DoctorFact] {
        let endings = Mailbox<[DoctorFact]> { _ in "what the doctor found" }
        try LoopThread.start("doctor") {
            var found: [DoctorFact] = []
            DoctorRun(
                configuration: configuration, canLogIn: canLogIn, log: .silent, tell: { found.append($0) },
                reachable: { _ in }
            ).run()
            endings.post(found)
        }
        try await script()
        return try await endings.take("what the doctor found", patience: .seconds(60)) { $0 }
    }

    /// The same at one server with these traits; without `logsIn` nobody comes for a session.
    static func facts(
        _ traits: Traits = Traits(), mechanisms: [String]? = nil, logsIn: Bool = true,
        configure: (inout Configuration) throws -> Void = { _ in }
    ) async throws -> [DoctorFact] {
        var options = TestServerOptions(tls: try TestIdentity.shared.get().server)
        if let mechanisms { options.mechanisms = mechanisms }
        return try await TestServer.running(options) { server in
            try await BotConfiguration.inFolder { folder in
                var configuration = try BotConfiguration.standard(server, folder: folder)
                try configure(&configuration)
                return try await facts(configuration) {
                    try await show(try await server.connection(), traits)
                    if logsIn { try await serve(try await server.connection(), traits) }
                }
            }
        }
    }

    /// Shows what there is to log in with; nobody shall show who it is.
    static func show(_ connection: TestConnection, _ traits: Traits) async throws {
        do {
            try await connection.open(
                features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
            try await connection.secure(with: traits.certificate)
            try await connection.open(features: connection.options.saslFeatures)
            try await connection.expectStreamEnd()
            #expect(!connection.unread.contains { $0.contains("<auth") })
            connection.close()
        } catch let failure as TestServerFailure {
            // A certificate that is refused ends the visit.
            if traits.certificate == nil { throw failure }
        }
    }

    private static func serve(_ connection: TestConnection, _ traits: Traits) async throws {
        try await connection.open(
            features: "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
        try await connection.secure()
        try await connection.open(features: connection.options.saslFeatures)
        if traits.refusesLogin {
            _ = try await connection.expect("auth", "urn:ietf:params:xml:ns:xmpp-sasl")
            connection.send("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>")
            return
        }
        _ = try await connection.authenticate(account)
        let streams = traits.offersStreams ? "<sm xmlns='urn:xmpp:sm:3'/>" : ""
        try await connection.open(
            features: "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>" + streams + traits.limits)
        let bound = try await connection.bind(account)
        #expect(bound.hasPrefix("\(account)/main-doctor-"))
        try await answerAll(connection, traits)
    }

    /// Until the doctor leaves, who never shows presence and never writes a message.
    private static func answerAll(_ connection: TestConnection, _ traits: Traits) async throws {
        while true {
            let fact = try await connection.facts.take("a question", patience: .seconds(30)) { $0 }
            switch fact {
            case .closedStream: return connection.close()
            case .stanza(let stanza) where stanza.name == "enable":
                let resumption = traits.isResumable ? " id='stream' resume='true'" : ""
                connection.send("<enabled xmlns='urn:xmpp:sm:3'\(resumption)/>")
            case .stanza(let stanza) where stanza.name == "iq": answer(stanza, connection, traits)
            case .stanza(let stanza):
                #expect(stanza.name != "message" && stanza.name != "presence")
            case .left: throw TestServerFailure(wanted: "a goodbye", reason: .wrong("none came"), instead: [])
            case .opened, .secured, .broke, .handedOver: continue
            }
        }
    }

    private static func answer(_ question: Element, _ connection: TestConnection, _ traits: Traits) {
        guard let payload = question.children.first else { return }
        switch (payload.name, payload.namespace) {
        case ("query", "jabber:iq:roster"):
            connection.reply(
                to: question,
                with: "<query xmlns='jabber:iq:roster'><item jid='alice@example.test' subscription='both'/></query>")
        case ("time", "urn:xmpp:time"):
            guard let lead = traits.lead else { return refuse(question, connection) }
            let time = Timestamp(milliseconds: WallClock.milliseconds()) + lead
            connection.reply(to: question, with: "<time xmlns='urn:xmpp:time'><tzo>Z</tzo><utc>\(time)</utc></time>")
        case ("ping", _): connection.reply(to: question)
        case ("query", Discovery.namespace):
            connection.reply(to: question, with: info(about: question["to"], traits))
        case ("query", "http://jabber.org/protocol/disco#items"):
            connection.reply(
                to: question,
                with: "<query xmlns='http://jabber.org/protocol/disco#items'><item jid='rooms.\(domain)'/>"
                    + "<item jid='files.\(domain)'/><item jid='@' name='no address'/></query>")
        case ("prefs", _):
            connection.reply(
                to: question, with: "<prefs xmlns='urn:xmpp:mam:2' default='\(traits.archivePreferences)'/>")
        default: refuse(question, connection)
        }
    }

    private static func info(about address: String?, _ traits: Traits) -> String {
        var features: [String] = []
        var form = ""
        switch address {
        case domain: features = traits.copies ? ["urn:xmpp:carbons:2"] : []
        case account, nil: features = traits.keepsArchive ? ["urn:xmpp:mam:2"] : []
        case "files.\(domain)" where traits.takesFiles:
            features = ["urn:xmpp:http:upload:0"]
            form =
                "<x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE'><value>urn:xmpp:http:upload:0</value>"
                + "</field><field var='max-file-size'><value>5242880</value></field></x>"
        default: break
        }
        return "<query xmlns='\(Discovery.namespace)'>" + features.map { "<feature var='\($0)'/>" }.joined() + form
            + "</query>"
    }

    private static func refuse(_ question: Element, _ connection: TestConnection) {
        connection.send(
            "<iq type='error' id='\(question["id"] ?? "")' from='\(question["to"] ?? domain)'><error type='cancel'>"
                + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
    }
}
