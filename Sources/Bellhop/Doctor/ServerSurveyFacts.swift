internal import BellhopClient
internal import BellhopCrypto
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopTransport
internal import BellhopXMPP

/// What the places where the server may be have shown, as facts; which of them matter can only be told when all were seen.
struct ServerSurveyFacts {
    /// Whether a login is worth an attempt.
    let leadsSomewhere: Bool

    init(_ settings: AccountSettings, _ tell: (DoctorFact) -> Void) {
        var hosts: [(host: String, addresses: Result<[String], TransportError>)] = []
        var places: [PlaceReport] = []
        ServerSurvey(settings).run { finding in
            switch finding {
            case .named(let target): tell(.serverNamed(target))
            case .lookup(let lookup, let plan): tell(.lookup(lookup, plan))
            case .host(let host, let addresses): hosts.append((host, addresses))
            case .place(let report): places.append(report)
            }
        }
        let leads = places.contains { $0.trouble == nil || $0.trouble?.stage == .redirection }
        for (host, addresses) in hosts {
            switch addresses {
            case .success(let list): tell(.addresses(host: host, list))
            case .failure(let error): tell(.noAddress(host: host, reason: "\(error)", needed: !leads))
            }
        }
        let now = Timestamp(milliseconds: WallClock.milliseconds())
        let datesCount = settings.authorities != nil || settings.pins.isEmpty
        // A bot goes round all places, and ends only where none of them is worth another visit.
        let lost = hosts.contains { if case .failure = $0.addresses { true } else { false } }
        let stop = lost || places.contains { $0.trouble?.stop == nil } ? nil : places.first?.trouble?.stop
        let facts = places.flatMap { Self.facts(of: $0, needed: !leads, stop, datesCount: datesCount, now: now) }
        var told: [DoctorFact] = []
        for check in DoctorCheck.allCases {
            // Several places often show one certificate.
            for fact in facts where fact.check == check && !told.contains(fact) {
                told.append(fact)
                tell(fact)
            }
        }
        leadsSomewhere = leads
    }

    static func facts(
        of place: PlaceReport, needed: Bool, _ stop: RetryPolicy.StopReason?, datesCount: Bool, now: Timestamp
    ) -> [DoctorFact] {
        let target = place.target
        var facts: [DoctorFact] = []
        if let address = place.address, let time = place.connectTime {
            facts.append(.reached(target, address: address, after: time))
        }
        if let tls = place.tls {
            facts.append(.encrypted(target, version: tls.version, cipher: tls.cipher))
            if let certificate = tls.certificate {
                facts.append(
                    .certificate(certificate, overlooked: tls.overlooked, datesCount: datesCount, now: now))
            }
        } else if place.trouble == nil {
            facts.append(.inTheClear(target))
        }
        if let login = place.login, let features = place.features {
            facts.append(
                .mechanisms(
                    target, offered: features.mechanisms, bindings: features.bindings, sasl2: features.sasl2,
                    login: login))
        }
        if let trouble = place.trouble { facts.append(fact(trouble, target, needed: needed, stop)) }
        return facts
    }

    private static func fact(
        _ trouble: PlaceReport.Trouble, _ target: ServerTarget, needed: Bool, _ stop: RetryPolicy.StopReason?
    ) -> DoctorFact {
        switch trouble.stage {
        case .connection: .notReached(target, sentence: trouble.sentence, needed: needed)
        case .domain: .domainNotServed(target, sentence: trouble.sentence, needed: needed, stop: stop)
        case .stream: .noStream(target, sentence: trouble.sentence, needed: needed, stop: stop)
        case .encryption: .notEncrypted(target, sentence: trouble.sentence, needed: needed, stop: stop)
        case .certificate:
            .certificateRefused(target, sentence: trouble.sentence, trouble.certificate, needed: needed, stop: stop)
        case .mechanisms: .noMechanism(target, sentence: trouble.sentence, needed: needed, stop: stop)
        case .redirection: .redirected(target, sentence: trouble.sentence)
        }
    }
}
