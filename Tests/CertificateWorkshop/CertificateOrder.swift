/// A certificate that a test wants to have.
package struct CertificateOrder: Hashable, Sendable {
    package enum Signer: String, Hashable, Sendable {
        /// The workshop's authority, whom tests trust.
        case authority
        /// One that nobody trusts.
        case stranger
        /// Signed by an authority that the workshop's authority signed.
        case intermediate
        /// Intermediates that are no longer, or not yet, valid.
        case expired, notYetValid
        case itself
    }

    package enum Key: String, Hashable, Sendable {
        case p256, another, rsa, rsa1024, ed25519
    }

    /// The subject's common name; nil for a subject without one.
    package var commonName: String?
    /// As `subjectAltName` of OpenSSL's configuration, like `DNS:a.example, IP:127.0.0.1`; nil for none.
    package var names: String?
    /// As `openssl ca` wants it: `YYYYMMDDHHMMSSZ`.
    package var start = "20200101000000Z"
    package var end = "20990101000000Z"
    package var signer = Signer.authority
    package var key = Key.p256
    /// The hash of the signature; `default` is what goes with the signer's key.
    package var hash = "default"
    /// The extended key usage; nil for none.
    package var usage: String? = "serverAuth"

    package init(_ domain: String = "chat.example", signer: Signer = .authority) {
        commonName = domain
        names = "DNS:" + domain
        self.signer = signer
    }

    package func with(_ change: (inout CertificateOrder) -> Void) -> CertificateOrder {
        var order = self
        change(&order)
        return order
    }
}

extension CertificateOrder {
    package static let good = CertificateOrder()
    package static let expired = good.with { $0.end = "20200201000000Z" }
    package static let notYetValid = good.with { $0.start = "20980101000000Z" }
    package static let selfSigned = CertificateOrder(signer: .itself)
    package static let unknownAuthority = CertificateOrder(signer: .stranger)
    package static let nameless = good.with { $0.names = nil }
}
