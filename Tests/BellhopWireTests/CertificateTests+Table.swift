import CertificateWorkshop
import Testing

extension CertificateTests {
    static let domain = "bots.example.test"
    static let good = CertificateOrder(domain)
    static let command =
        "openssl x509 -noout -pubkey -in CERTIFICATE | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary "
        + "| openssl base64"
    private static let comparing =
        "compare the key on the server (\(command)) and, only if it is the same, add to \"account\" in place of what is "
        + "there: \"trust\": {\"pins\": [\"PIN\"]}"

    struct Bad: Sendable, CustomTestStringConvertible {
        var what: String
        var order: CertificateOrder
        var trust = Trust.authority
        var server: String?
        /// `PIN` stands for the pin of the certificate's key, `OTHER` for that of another.
        var sentence: String
        var isFinal = false
        var testDescription: String { what }

        static let all = [
            Bad(
                what: "expired", order: good.with { $0.end = "20200201000000Z" },
                sentence: "the certificate of bots.example.test has expired (on 2020-02-01); renew it on the server"),
            Bad(
                what: "not yet valid", order: good.with { $0.start = "20980101000000Z" },
                sentence:
                    "the certificate of bots.example.test is not valid yet (before 2098-01-01); check the clocks of "
                    + "both machines"),
            Bad(
                what: "wrong host", order: CertificateOrder("xmpp.host.test"),
                sentence:
                    "the certificate is not for bots.example.test but for xmpp.host.test; the server needs one for the "
                    + "JID's domain, or \(comparing)"),
            Bad(
                what: "only the host that it runs on", order: good.with { $0.names = "DNS:localhost" },
                server: "localhost",
                sentence:
                    "the certificate is for the host localhost and not for bots.example.test; where the server runs "
                    + "proves nothing, so it needs one for the JID's domain, or \(comparing)"),
            Bad(
                what: "many other names",
                order: good.with {
                    $0.names = (1...200).map { "DNS:n\($0).example" }.joined(separator: ", ")
                },
                sentence: "the certificate is not for bots.example.test but for n1.example, n2.example, n3.example, "
                    + "n4.example, n5.example and 195 more; the server needs one for the JID's domain, or \(comparing)"),
            Bad(
                what: "unknown authority", order: CertificateOrder(domain, signer: .stranger),
                sentence: "the certificate of bots.example.test is signed by an authority that is not trusted (“Test "
                    + "stranger”); name the authority's file in account.trust.ca, or \(comparing)"),
            Bad(
                what: "unknown authority, and no subjectAltName",
                order: CertificateOrder(domain, signer: .stranger).with { $0.names = nil },
                sentence: "the certificate of bots.example.test is signed by an authority that is not trusted (“Test "
                    + "stranger”); \(comparing)"),
            Bad(
                what: "self-signed", order: CertificateOrder(domain, signer: .itself),
                sentence:
                    "the certificate of bots.example.test is signed by itself, so it proves nothing; name its file in "
                    + "account.trust.ca, or \(comparing)"),
            Bad(
                what: "self-signed, and no subjectAltName",
                order: CertificateOrder(domain, signer: .itself).with { $0.names = nil },
                sentence: "the certificate of bots.example.test is signed by itself, so it proves nothing; \(comparing)"
            ),
            Bad(
                what: "no subjectAltName", order: good.with { $0.names = nil },
                sentence: "the certificate of bots.example.test names no host at all, and its common name "
                    + "“bots.example.test” does not count; the server needs one with bots.example.test as a subjectAltName, "
                    + "or \(comparing)"),
            Bad(
                what: "no name of any kind",
                order: good.with {
                    $0.names = nil
                    $0.commonName = nil
                },
                sentence: "the certificate of bots.example.test names no host at all; the server needs one with "
                    + "bots.example.test as a subjectAltName, or \(comparing)"),
            Bad(
                what: "an authority that has expired", order: CertificateOrder(domain, signer: .expired),
                sentence:
                    "the certificate of bots.example.test is signed by an authority whose own certificate has expired; "
                    + "let the server send the chain that its authority hands out now"),
            Bad(
                what: "an authority that is not yet valid", order: CertificateOrder(domain, signer: .notYetValid),
                sentence:
                    "the certificate of bots.example.test is signed by an authority whose own certificate is not valid "
                    + "yet; check the clocks of both machines"),
            Bad(
                what: "for clients", order: good.with { $0.usage = "clientAuth" },
                sentence: "the certificate of bots.example.test is not made for a server (extendedKeyUsage)"),
            Bad(
                what: "weak", order: good.with { $0.key = .rsa1024 },
                sentence:
                    "the certificate of bots.example.test is too weak to prove anything (EE certificate key too weak); "
                    + "renew it on the server"),
            Bad(
                what: "another key than the pinned one", order: good,
                trust: .key(good.with { $0.key = .another }),
                sentence:
                    "the server of bots.example.test has the key PIN, and account.trust.pins allows only OTHER, so "
                    + "nothing was sent to it; if its key was changed on purpose, compare it on the server (\(command)) and "
                    + "mend the pin, else somebody sits between", isFinal: true),
            Bad(
                what: "the pinned key in a certificate of nobody's", order: CertificateOrder(domain, signer: .itself),
                trust: .authorityAndKey(CertificateOrder(domain, signer: .itself)),
                sentence:
                    "the certificate of bots.example.test is signed by itself, so it proves nothing; account.trust.ca "
                    + "demands another, whatever account.trust.pins says; leave ca out to go by the pins alone"),
        ]
    }
}
