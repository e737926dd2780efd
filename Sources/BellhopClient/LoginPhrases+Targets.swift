internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopTransport
internal import BellhopXMPP

/// The sentences about where the server was looked for: which names were asked, which places were tried, why each failed.
extension LoginPhrases {
    static func everyTarget(
        _ failures: [TargetFailure], _ lookup: ServiceLookup?, settings: AccountSettings
    ) -> String {
        let domain = settings.jid.domain
        let head =
            failures.allSatisfy(\.cause.isUnreachable)
            ? "cannot reach the XMPP server of \(domain)" : "no session with the XMPP server of \(domain)"
        let reasons = reasons(failures, settings: settings)
        return ([head + ": " + reasons] + (lookup.map { [asked($0, domain)] } ?? [])).joined(separator: "; ")
    }

    /// Each place, and what was wrong with it.
    static func reasons(_ failures: [TargetFailure], settings: AccountSettings) -> String {
        failures.map { "\(shown($0.target)): \(reason($0, settings: settings))" }.joined(separator: "; ")
    }

    static func nowhere(_ lookup: ServiceLookup, domain: String) -> String {
        if case .failed = lookup.directTLS {
            return "nobody could say where \(domain) serves XMPP clients: \(asked(lookup, domain))"
        }
        return "\(domain) says in DNS that it offers no XMPP service to clients (\(asked(lookup, domain))); "
            + "account.jid needs another domain, or account.server says where the server is"
    }

    static func place(_ step: ServerRound.Step?) -> String {
        switch step {
        case .lookup(let domain): "what DNS says of \(shown(domain))"
        case .target(let target): shown(target)
        case nil: ""
        }
    }

    /// What name servers said, for a log line.
    static func facts(of lookup: ServiceLookup) -> KeyValuePairs<String, String> {
        [
            "domain": shown(lookup.domain), "xmpps-client": finding(lookup.directTLS),
            "xmpp-client": finding(lookup.startTLS),
        ]
    }

    private static func asked(_ lookup: ServiceLookup, _ domain: String) -> String {
        "asked for _xmpps-client._tcp.\(domain) (\(finding(lookup.directTLS))) "
            + "and _xmpp-client._tcp.\(domain) (\(finding(lookup.startTLS)))"
    }

    private static func finding(_ finding: ServiceLookup.Finding) -> String {
        switch finding {
        case .records(let records): records.count == 1 ? "1 target" : "\(records.count) targets"
        case .none: "no record"
        case .notOffered: "the target \".\", which means not offered"
        case .failed(let fault): "\(fault)"
        }
    }

    private static func reason(_ failure: TargetFailure, settings: AccountSettings) -> String {
        switch failure.cause {
        case .transport(.unreachable(let attempts)) where attempts.isEmpty: "no answer in time"
        case .transport(.unreachable(let attempts))
        where attempts.count == 1 && attempts[0].address == failure.target.endpoint.host:
            attempts[0].reason
        case .transport(.unreachable(let attempts)):
            attempts.map { "\($0.address): \($0.reason)" }.joined(separator: ", ")
        case .transport(.noAddress(_, let reason)): "no address (\(reason))"
        case .transport(let error): "\(error)"
        case .link, .negotiation, .nowhere, .everyTarget, .streamError, .streamClosed, .silent, .miscounted,
            .unreadable:
            sentence(failure.cause, settings: settings)
        }
    }

    static func shown(_ target: ServerTarget) -> String {
        ServerTarget(Endpoint(host: shown(target.endpoint.host), port: target.endpoint.port), target.security)
            .description
    }

    /// A host as people read it, internationalised labels in Unicode.
    private static func shown(_ host: String) -> String {
        guard host.contains("xn--"), let domain = try? JID(domain: host).domain else { return host }
        return domain
    }
}
