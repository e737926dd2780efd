internal import BellhopClient
internal import BellhopCrypto
internal import BellhopEngine
internal import BellhopTransport
internal import BellhopXML
internal import BellhopXMPP

/// Asks the server, on a session that is online, for what a bot has of it. Lives on the loop's thread, and no longer than the
/// last answer takes.
final class SessionExamination {
    private let loop: AccountLoop
    /// How long the login took, where somebody measured it.
    private let loginTime: Duration?
    private let done: ([DoctorFact]) -> Void
    private var facts: [DoctorFact] = []
    /// How many answers are waited for.
    private var open = 0

    /// Nobody has more services than that to look through.
    private static let mostServices = 16

    private init(_ loop: AccountLoop, loginTime: Duration?, _ done: @escaping ([DoctorFact]) -> Void) {
        self.loop = loop
        self.loginTime = loginTime
        self.done = done
    }

    /// Calls back once, with the facts in the order of their checks.
    static func begin(_ loop: AccountLoop, loginTime: Duration? = nil, done: @escaping ([DoctorFact]) -> Void) {
        let examination = SessionExamination(loop, loginTime: loginTime, done)
        examination.open = 1
        examination.askAll()
        examination.close()
    }

    private func askAll() {
        guard let server = try? JID(loop.settings.jid.domain) else { return }
        let asked = loop.now
        ask(.get(Element("ping", namespace: Namespace.ping)), server) { [self] reply in
            facts.append(.ping(reply.map { _ in loop.now - asked }))
        }
        open += 1
        loop.whenTimeIsKnown { [self] in
            facts.append(.clock(lead: loop.serverTime.map { loop.clock - $0 }))
            close()
        }
        askArchive()
        ask(.get(ServiceInfo.request), server) { [self] reply in
            let info = Self.payload(reply).flatMap(ServiceInfo.init)
            facts.append(.carbons(isThere: reply.map { _ in info?.features.contains(Namespace.carbons) ?? false }))
        }
        askServices(of: server)
    }

    private func askArchive() {
        open += 1
        loop.findArchive { [self] isThere in
            facts.append(.archive(isThere: isThere))
            if isThere == true {
                // A server that does not tell its preferences has none to tell.
                ask(.get(ArchivePreferences.request), nil) { [self] reply in
                    if let preferences = Self.payload(reply).flatMap(ArchivePreferences.init) {
                        facts.append(.archivePreferences(preferences))
                    }
                }
            }
            close()
        }
    }

    // MARK: Files

    private func askServices(of server: JID) {
        ask(.get(ServiceItems.request), server) { [self] reply in
            guard let reply else { return facts.append(.uploadUnknown) }
            let items = Self.payload(.some(reply)).flatMap(ServiceItems.init)?.addresses ?? []
            askUpload(of: [server] + items.prefix(Self.mostServices))
        }
    }

    /// The first of them that takes files is the one.
    private func askUpload(of services: [JID]) {
        var found: [Int: DoctorFact] = [:]
        var left = services.count
        for (index, service) in services.enumerated() {
            ask(.get(ServiceInfo.request), service) { [self] reply in
                if let info = Self.payload(reply).flatMap(ServiceInfo.init), info.features.contains(Namespace.upload) {
                    found[index] = .upload(
                        address: loop.settings.secrets.cut(from: "\(service)"), largest: info.largestFile)
                }
                left -= 1
                guard left == 0 else { return }
                facts.append(found.min { $0.key < $1.key }?.value ?? .noUpload)
            }
        }
    }

    // MARK: Answers

    private func ask(_ question: IQ.Content, _ peer: JID?, _ answered: @escaping (IQReply?) -> Void) {
        open += 1
        loop.request(question, to: peer) { [self] reply in
            answered(reply)
            close()
        }
    }

    private static func payload(_ reply: IQReply?) -> Element? {
        guard case .result(let payload)? = reply else { return nil }
        return payload
    }

    private func close() {
        open -= 1
        guard open == 0 else { return }
        guard let session = loop.sessionFacts else { return done([.sessionSkipped]) }
        // The server does things in order: what it says of the stream was said before it answered the questions.
        let known = Self.facts(of: session, loop, loginTime: loginTime)
        done(DoctorCheck.allCases.flatMap { check in (known + facts).filter { $0.check == check } })
    }

    /// What needs no question.
    private static func facts(of session: SessionFacts, _ loop: AccountLoop, loginTime: Duration?) -> [DoctorFact] {
        var facts: [DoctorFact] = []
        if let tls = session.tls, let certificate = tls.certificate {
            facts.append(
                .certificate(
                    certificate, overlooked: tls.overlooked, datesCount: session.login.certificateEnd != nil,
                    now: loop.clock))
        }
        return facts + [
            .loggedIn(session.login, after: loginTime), .roster(contacts: session.contacts),
            .stream(session.management),
            .limits(bytes: session.features.maxBytes, idleSeconds: session.features.idleSeconds),
        ]
    }
}
