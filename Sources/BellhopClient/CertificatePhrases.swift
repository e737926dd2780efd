internal import BellhopCrypto
internal import BellhopTransport
internal import BellhopXMPP

/// The sentences about the server's certificate: what is wrong with it, what it says of itself, and what to do.
enum CertificatePhrases {
    /// What prints the pin of a certificate on the machine that has it.
    static let command =
        "openssl x509 -noout -pubkey -in CERTIFICATE | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary "
        + "| openssl base64"

    static func sentence(
        _ fault: CertificateFault, _ certificate: CertificateFacts?, settings: AccountSettings
    ) -> String {
        let domain = settings.jid.domain
        switch fault {
        case .expired:
            return "the certificate of \(domain) has expired\(on(certificate?.notAfter)); renew it on the server"
        case .notYetValid:
            return "the certificate of \(domain) is not valid yet\(before(certificate?.notBefore)); "
                + "check the clocks of both machines"
        case .authorityExpired:
            return "the certificate of \(domain) is signed by an authority whose own certificate has expired; "
                + "let the server send the chain that its authority hands out now"
        case .authorityNotYetValid:
            return "the certificate of \(domain) is signed by an authority whose own certificate is not valid yet; "
                + "check the clocks of both machines"
        case .unknownAuthority:
            return "the certificate of \(domain) is signed by an authority that is not trusted\(issuer(certificate)); "
                + advice(certificate, settings, elseNaming: "the authority's file")
        case .selfSigned:
            return "the certificate of \(domain) is signed by itself, so it proves nothing; "
                + advice(certificate, settings, elseNaming: "its file")
        case .wrongName(let wanted): return wrongName(wanted, certificate, settings)
        case .nameless(let wanted):
            let common = certificate?.commonName.map { ", and its common name \(quoted($0)) does not count" } ?? ""
            return "the certificate of \(domain) names no host at all\(common); "
                + "the server needs one with \(wanted) as a subjectAltName\(pin(certificate, settings))"
        case .wrongKey(let pinned):
            return
                "the server of \(domain) has the key \(certificate?.pin.description ?? "that nobody could read"), and "
                + "account.trust.pins allows only \(list(pinned.map(\.description))), so nothing was sent to it; if its key "
                + "was changed on purpose, compare it on the server (\(command)) and mend the pin, else somebody sits between"
        case .wrongPurpose: return "the certificate of \(domain) is not made for a server (extendedKeyUsage)"
        case .weak(let reason):
            return "the certificate of \(domain) is too weak to prove anything (\(reason)); renew it on the server"
        case .other(let reason): return "the certificate of \(domain) is refused: \(reason)"
        }
    }

    /// What a pinned key outweighs, as a sentence of its own.
    static func overlooked(_ fault: CertificateFault, _ certificate: CertificateFacts?, domain: String) -> String {
        let what =
            switch fault {
            case .expired: "has expired\(on(certificate?.notAfter))"
            case .notYetValid: "is not valid yet\(before(certificate?.notBefore))"
            case .wrongName(let wanted): "is not for \(wanted) but for \(found(certificate))"
            case .nameless: "names no host at all"
            case .authorityExpired, .authorityNotYetValid, .unknownAuthority, .selfSigned, .wrongKey, .wrongPurpose,
                .weak, .other:
                "would be refused"
            }
        return "The certificate of \(domain) \(what), and is taken because account.trust.pins names its key"
    }

    private static func wrongName(
        _ wanted: String, _ certificate: CertificateFacts?, _ settings: AccountSettings
    ) -> String {
        let found = found(certificate)
        let domain = named(wanted, settings)
        if case .ip = settings.tlsName {
            return "the certificate is not for the address \(wanted) but for \(found); "
                + "the server needs one that holds the address, since it stands in account.jid\(pin(certificate, settings))"
        }
        if let host = settings.server?.endpoint.host.lowercased(), host != wanted.lowercased(),
            certificate?.names.contains(where: { $0.lowercased() == host }) == true
        {
            return
                "the certificate is for the host \(host) and not for \(domain); where the server runs proves nothing, "
                + "so it needs one for the JID's domain\(pin(certificate, settings))"
        }
        return "the certificate is not for \(domain) but for \(found); the server needs one for the JID's domain"
            + pin(certificate, settings)
    }

    /// The domain as people write it, and as it stands in certificates where that differs.
    private static func named(_ wanted: String, _ settings: AccountSettings) -> String {
        settings.jid.domain == wanted ? wanted : "\(settings.jid.domain) (\(wanted))"
    }

    /// How to trust the key that was shown, in words that can be pasted.
    private static func advice(
        _ certificate: CertificateFacts?, _ settings: AccountSettings, elseNaming file: String
    ) -> String {
        guard let certificate else { return "name \(file) in account.trust.ca" }
        if settings.authorities != nil, !settings.pins.isEmpty {
            return
                "account.trust.ca demands another, whatever account.trust.pins says; leave ca out to go by the pins alone"
        }
        // A certificate without a name is refused whoever is trusted; its key is not.
        let isNameless = certificate.names.isEmpty
        return (isNameless ? "" : "name \(file) in account.trust.ca, or ") + comparing(certificate, settings)
    }

    /// The way out where the certificate cannot be had otherwise: a pin asks for no name.
    private static func pin(_ certificate: CertificateFacts?, _ settings: AccountSettings) -> String {
        guard let certificate else { return "" }
        if settings.authorities != nil, !settings.pins.isEmpty {
            return ", or leave account.trust.ca out to go by account.trust.pins alone"
        }
        return ", or " + comparing(certificate, settings)
    }

    private static func comparing(_ certificate: CertificateFacts, _ settings: AccountSettings) -> String {
        let place = settings.authorities == nil ? "to \"account\"" : "to \"account\" in place of what is there"
        return "compare the key on the server (\(command)) and, only if it is the same, add \(place): \"trust\": "
            + "{\"pins\": [\"\(certificate.pin)\"]}"
    }

    private static func found(_ certificate: CertificateFacts?) -> String {
        guard let certificate, !certificate.names.isEmpty else { return "no name at all" }
        return list(certificate.names, further: certificate.furtherNames)
    }

    /// The first few, so that a certificate cannot fill the log.
    private static func list(_ texts: [String], further: Int = 0) -> String {
        let left = texts.count - shown + further
        return texts.prefix(shown).joined(separator: ", ") + (left > 0 ? " and \(left) more" : "")
    }

    private static let shown = 5

    private static func issuer(_ certificate: CertificateFacts?) -> String {
        certificate?.issuer.map { " (\(quoted($0)))" } ?? ""
    }

    private static func quoted(_ text: String) -> String { "\u{201C}\(text)\u{201D}" }

    private static func on(_ seconds: Int64?) -> String { seconds.map { " (on \(day($0)))" } ?? "" }

    private static func before(_ seconds: Int64?) -> String { seconds.map { " (before \(day($0)))" } ?? "" }

    private static func day(_ seconds: Int64) -> Substring {
        (Timestamp(milliseconds: 0) + .seconds(seconds)).description.prefix(10)
    }
}
