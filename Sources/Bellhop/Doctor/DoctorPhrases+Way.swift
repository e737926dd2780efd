internal import BellhopClient
internal import BellhopCrypto
internal import BellhopEngine
internal import BellhopTransport
internal import BellhopXMPP

/// The words about the way to the server: names, ports, TLS, certificates, and how to log in.
extension DoctorPhrases {
    static func wayWords(_ fact: DoctorFact) -> (what: String, advice: String?) {
        switch fact {
        case .serverNamed(let target): ("the configuration leads to \(target); no SRV records were asked for", nil)
        case .lookup(let lookup, let plan): words(lookup, plan)
        case .addresses(let host, let addresses): ("\(host) is \(addresses.joined(separator: ", "))", nil)
        case .noAddress(let host, let reason, let needed):
            (
                needed ? reason : "\(reason); other places lead to the server",
                "let the name servers know an address of \(host), or name the server in account.server"
            )
        case .reached(let target, let address, let time):
            ("\(target) took the connection at \(address) in \(milliseconds(time))", nil)
        case .notReached(let target, let sentence, let needed):
            (
                placed(sentence, target) + elsewhere(needed),
                "see that the server runs and listens there, and that no firewall is between"
            )
        case .redirected(let target, let sentence): (placed(sentence, target), nil)
        case .encrypted(let target, let version, let cipher): ("\(target) speaks \(version) (\(cipher))", nil)
        case .domainNotServed(let target, let sentence, let needed, _):
            (
                placed(sentence, target) + elsewhere(needed),
                "compare the domain of account.jid with those that the server is set up for; is it another server than was meant?"
            )
        case .noStream(let target, let sentence, let needed, _):
            (
                placed(sentence, target) + elsewhere(needed),
                "see that account.server or the SRV records lead to an XMPP server's port for clients; its log may say more"
            )
        case .notEncrypted(let target, let sentence, let needed, _): (placed(sentence, target) + elsewhere(needed), nil)
        case .inTheClear(let target):
            (
                "the stream to \(target) is not encrypted",
                "use it on this machine only; account.encryption \u{201C}required\u{201D} is the default"
            )
        case .certificate(let facts, let overlooked, let datesCount, let now):
            certificate(facts, overlooked, datesCount: datesCount, now: now)
        case .certificateRefused(let target, let sentence, let facts, let needed, _):
            (placed(sentence, target) + elsewhere(needed) + (facts.map { ". It is \(shown($0))" } ?? ""), nil)
        case .mechanisms(let target, let offered, let bindings, let sasl2, let login):
            mechanisms(target, offered, bindings, sasl2, login)
        case .noMechanism(let target, let sentence, let needed, _): (placed(sentence, target) + elsewhere(needed), nil)
        default: ("", nil)
        }
    }

    /// With the place in front where the sentence does not name it.
    private static func placed(_ sentence: String, _ target: ServerTarget) -> String {
        sentence.contains(target.endpoint.host) ? sentence : "\(target): \(sentence)"
    }

    private static func elsewhere(_ needed: Bool) -> String { needed ? "" : "; other places work" }

    // MARK: DNS

    private static func words(_ lookup: ServiceLookup, _ plan: ServiceLookup.Plan) -> (String, String?) {
        let found = [("_xmpps-client", lookup.directTLS), ("_xmpp-client", lookup.startTLS)].map { service, finding in
            "\(service)._tcp.\(lookup.domain) \(words(finding))"
        }.joined(separator: "; ")
        let advice: String? =
            switch plan {
            case .notOffered, .unknown:
                "name the server in account.server, or have the SRV records mended, whose target \".\" says that there is none"
            case .targets, .domainItself: unanswered(lookup) ? "see that this machine's name servers answer" : nil
            }
        guard plan == .domainItself else { return (found, advice) }
        return (found + "; so the server is looked for at \(lookup.domain), port 5222", advice)
    }

    private static func unanswered(_ lookup: ServiceLookup) -> Bool {
        [lookup.directTLS, lookup.startTLS].contains { if case .failed = $0 { true } else { false } }
    }

    private static func words(_ finding: ServiceLookup.Finding) -> String {
        switch finding {
        case .records(let records):
            "leads to "
                + records.prefix(8).map {
                    "\($0.target.endpoint) (priority \($0.priority), weight \($0.weight))"
                }.joined(separator: ", ") + (records.count > 8 ? " and \(records.count - 8) more" : "")
        case .none: "is not there"
        case .notOffered: "says that there is no such service"
        case .failed(let fault): "is not known: \(fault)"
        }
    }

    // MARK: Certificates

    private static func certificate(
        _ facts: CertificateFacts, _ overlooked: [CertificateFault], datesCount: Bool, now: Timestamp
    ) -> (String, String?) {
        let days = facts.daysLeft(at: now)
        let left = days == 1 ? "1 day" : "\(days) days"
        guard datesCount else {
            let but = overlooked.isEmpty ? "" : ", whatever else is wrong with it"
            return ("the server's certificate has a pinned key and is taken\(but): \(shown(facts))", nil)
        }
        return (
            "the server's certificate is trusted for another \(left): \(shown(facts))",
            days < DoctorFact.certificateDays
                ? "renew it on the server; when it is over, the bot does not log in any more" : nil
        )
    }

    /// `for a.example.org, b.example.org, signed by R3, valid until 2027-01-02, key sha256:...`.
    private static func shown(_ facts: CertificateFacts) -> String {
        let names = facts.names.prefix(5).joined(separator: ", ")
        let more = facts.names.count - 5 + facts.furtherNames
        let end = (Timestamp(milliseconds: 0) + .seconds(facts.notAfter)).description.prefix(10)
        return "for \(names.isEmpty ? "no name" : names)\(more > 0 ? " and \(more) more" : ""), "
            + "signed by \(facts.issuer ?? "nobody named"), valid until \(end), key \(facts.pin)"
    }

    // MARK: Mechanisms

    private static func mechanisms(
        _ target: ServerTarget, _ offered: [String], _ bindings: [String]?, _ sasl2: SASL2Offer?, _ login: String
    ) -> (String, String?) {
        var lists = offered.isEmpty ? [] : [offered.joined(separator: ", ")]
        if let sasl2 { lists.append(words(sasl2, asBefore: sasl2.mechanisms == offered)) }
        var what = "\(target) offers \(lists.isEmpty ? "nothing but the old login" : lists.joined(separator: "; "))"
        if let bindings, !bindings.isEmpty { what += " (channel binding: \(bindings.joined(separator: ", ")))" }
        what += "; the bot takes \(login)"
        guard DoctorFact.showsPassword(login) else { return (what, nil) }
        return (
            what + ", by which the server learns the password",
            "let the server offer SCRAM-SHA-256 or SCRAM-SHA-1, then set account.allowPlain to false"
        )
    }

    private static func words(_ sasl2: SASL2Offer, asBefore: Bool) -> String {
        let mechanisms = asBefore ? "the same" : sasl2.mechanisms.joined(separator: ", ")
        let inline = [
            (sasl2.resumes, "resumption"), (sasl2.binds, "binding"), (!sasl2.tokens.isEmpty, "tokens"),
        ].compactMap { $0 ? $1 : nil }
        return "\(mechanisms) by SASL2"
            + (inline.isEmpty ? "" : " with \(inline.joined(separator: ", ")) along with it")
    }
}
