/// What name servers say of where a domain serves clients: under `_xmpps-client` with direct TLS (XEP-0368), under
/// `_xmpp-client` with STARTTLS (RFC 6120 section 3.2).
package struct ServiceLookup: Hashable, Sendable {
    /// In ASCII.
    package let domain: String
    package let directTLS: Finding
    package let startTLS: Finding

    package enum Finding: Hashable, Sendable {
        case records([ServiceRecord])
        /// No such name or no such record.
        case none
        /// The single target ".": the service is decidedly not offered (RFC 2782).
        case notOffered
        case failed(NameFault)

        var records: [ServiceRecord] {
            switch self {
            case .records(let records): records
            case .none, .notOffered, .failed: []
            }
        }
    }

    package init(domain: String, directTLS: Finding, startTLS: Finding) {
        self.domain = domain
        self.directTLS = directTLS
        self.startTLS = startTLS
    }

    /// What is known where nobody said anything.
    package static func unanswered(domain: String, _ fault: NameFault) -> ServiceLookup {
        ServiceLookup(domain: domain, directTLS: .failed(fault), startTLS: .failed(fault))
    }

    /// Where to go.
    package enum Plan: Equatable, Sendable {
        case targets([ServerTarget])
        /// Nobody says anything against the domain's own address on the standard port.
        case domainItself
        case notOffered
        /// The one service is not offered, and nobody could say anything of the other.
        case unknown
    }

    /// The records of both services are one list (XEP-0368 section 3); a target "." takes away its own service only.
    ///
    /// A stream in the clear at the domain itself is tried where `_xmpp-client` has no records, and where the name servers
    /// cannot be asked: an address in /etc/hosts may still do.
    package func plan(draw: (UInt32) -> UInt32) -> Plan {
        let records = directTLS.records + startTLS.records
        if !records.isEmpty { return .targets(ServiceRecord.order(records, draw: draw)) }
        switch (directTLS, startTLS) {
        case (_, .none), (_, .failed): return .domainItself
        case (.failed, .notOffered): return .unknown
        case (_, .notOffered): return .notOffered
        case (_, .records): return .domainItself
        }
    }
}

extension ServiceLookup.Finding {
    /// What an answer says of a service that is spoken to in this way; targets that no host can have are left out.
    init(_ answer: Result<[NameAnswer.Record], NameFault>, _ security: ServerTarget.Security) {
        switch answer {
        case .failure(let fault): self = .failed(fault)
        case .success(let answered):
            var records: [ServiceRecord] = []
            var isRefused = false
            for case .service(let priority, let weight, let port, let target) in answered {
                if target.labels.isEmpty { isRefused = true }
                guard target.isHost, port > 0 else { continue }
                let endpoint = Endpoint(host: target.description, port: port)
                records.append(
                    ServiceRecord(priority: priority, weight: weight, target: ServerTarget(endpoint, security)))
            }
            self = !records.isEmpty ? .records(records) : isRefused ? .notOffered : .none
        }
    }
}
