import BellhopCrypto
import CertificateWorkshop

/// Contexts of clients that trust an authority of the tests, and of servers with good and bad certificates.
struct TestAuthority: Sendable {
    static let shared = Result { try TestAuthority() }

    private let workshop: CertificateWorkshop

    enum Certificate: String, CaseIterable, Sendable {
        case good, expired, notYetValid, selfSigned, wildcard, partialWildcard, address, commonNameOnly, clientOnly
        case weakKey, weakSignature, authorityExpired, authorityNotYetValid

        var order: CertificateOrder {
            switch self {
            case .good: .good.with { $0.names = "DNS:chat.example, DNS:rooms.chat.example" }
            case .expired: .expired
            case .notYetValid: .notYetValid
            case .selfSigned: .selfSigned
            case .wildcard: .good.with { $0.names = "DNS:*.chat.example" }
            case .partialWildcard: .good.with { $0.names = "DNS:c*t.example, DNS:ch*.chat.example" }
            case .address: .good.with { $0.names = "IP:127.0.0.1, IP:2001:db8::1" }
            case .commonNameOnly: .nameless
            case .weakKey: .good.with { $0.key = .rsa1024 }
            case .weakSignature: .good.with { $0.hash = "sha1" }
            case .authorityExpired: .good.with { $0.signer = .expired }
            case .authorityNotYetValid: .good.with { $0.signer = .notYetValid }
            case .clientOnly: .good.with { $0.usage = "clientAuth" }
            }
        }
    }

    /// The only thing that a client trusts.
    enum Trust: String, CaseIterable, Sendable {
        case authority
        /// An authority that signed nothing here.
        case anotherAuthority
        case selfSigned
    }

    func client(_ trust: Trust) throws -> TLSContext {
        let file =
            switch trust {
            case .authority: workshop.authority
            case .anotherAuthority: workshop.stranger
            case .selfSigned: try workshop.make(.selfSigned).certificateFile
            }
        return try .client(trust: .file(file))
    }

    func server(_ certificate: Certificate) throws -> TLSContext {
        let identity = try workshop.make(certificate.order)
        return try .server(identity, securityLevel: 0)
    }

    private init() throws {
        workshop = try CertificateWorkshop.shared.get()
    }

    /// What the refusal of broken files looks like.
    func fileFaults() throws -> [String: TLSError] {
        let good = try workshop.make(Certificate.good.order)
        try workshop.openssl(
            "pkey", "-in", "p256.key", "-aes256", "-passout", "pass:secret", "-out", "encrypted.key")
        func fault(_ make: () throws(TLSError) -> TLSContext) -> TLSError? {
            do throws(TLSError) {
                _ = try make()
                return nil
            } catch {
                return error
            }
        }
        func server(_ certificate: String, _ key: String) -> TLSError? {
            fault { () throws(TLSError) in
                try .server(TLSIdentity(certificateFile: certificate, keyFile: key))
            }
        }
        func trusting(_ file: String) -> TLSError? {
            fault { () throws(TLSError) in try .client(trust: .file(file)) }
        }
        return [
            "a missing trust file": trusting("/nonexistent/ca.pem"),
            "a key for trust": trusting(good.keyFile),
            "a directory for trust": trusting(workshop.path("")),
            "a key for a certificate": server(good.keyFile, good.keyFile),
            "another's key": server(good.certificateFile, workshop.path("stranger.key")),
            "a key with a password": server(good.certificateFile, workshop.path("encrypted.key")),
            "no key": server(good.certificateFile, "/nonexistent/key.pem"),
        ].compactMapValues { $0 }
    }
}
