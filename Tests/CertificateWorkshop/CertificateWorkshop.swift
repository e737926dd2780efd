package import BellhopCrypto
internal import Foundation
internal import Synchronization

/// A directory where the `openssl` command makes keys and certificates, each when it is first asked for.
///
/// It lies in the temporary directory, and is gone when the run ends.
package final class CertificateWorkshop: Sendable {
    /// One for all tests of a run.
    package static let shared = Result { try CertificateWorkshop() }

    package struct CommandFailed: Error {
        package let command: String
        package let said: String
    }

    private let directory: URL
    private let made = Mutex<[CertificateOrder: TLSIdentity]>([:])

    package init() throws {
        directory = URL(fileURLWithPath: try RunFolder.make("certificates"))
        try write("index", "")
        try write("index.attr", "unique_subject = no\n")
        try write(
            "ca.cnf",
            """
            [ca]
            default_ca = workshop
            [workshop]
            database = index
            rand_serial = yes
            new_certs_dir = .
            policy = anything
            [anything]
            commonName = optional

            """)
        try write("authority.ext", "basicConstraints=critical,CA:TRUE\n")
        for key in ["p256", "another", "authority", "stranger", "intermediate", "expired", "notYetValid"] {
            try openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key + ".key")
        }
        try openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "rsa.key")
        try openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-out", "rsa1024.key")
        try openssl("genpkey", "-algorithm", "ED25519", "-out", "ed25519.key")
        try makeAuthority("authority", signedBy: nil)
        try makeAuthority("stranger", signedBy: nil)
        try makeAuthority("intermediate", signedBy: "authority")
        try makeAuthority("expired", signedBy: "authority", end: "20200201000000Z")
        try makeAuthority("notYetValid", signedBy: "authority", start: "20980101000000Z")
    }

    /// The certificate of the authority that tests trust.
    package var authority: String { path("authority.pem") }
    /// The certificate of the authority that signed nothing that is trusted.
    package var stranger: String { path("stranger.pem") }

    package func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    /// The certificate, with the intermediate that signed it, and its key; certificates with keys of one kind share the key.
    package func make(_ order: CertificateOrder) throws -> TLSIdentity {
        try made.withLock { made in
            if let identity = made[order] { return identity }
            let name = "made-\(made.count)"
            let key = order.key.rawValue + ".key"
            var extensions = "basicConstraints=CA:FALSE\n"
            if let usage = order.usage { extensions += "extendedKeyUsage=\(usage)\n" }
            if let names = order.names { extensions += "subjectAltName=\(names)\n" }
            try write(name + ".ext", extensions)
            try openssl(
                "req", "-new", "-utf8", "-key", key, "-subj", order.commonName.map { "/CN=\($0)" } ?? "/", "-out",
                name + ".csr")
            let signer =
                switch order.signer {
                case .itself: ["-selfsign", "-keyfile", key]
                case .authority, .stranger, .intermediate, .expired, .notYetValid:
                    ["-cert", order.signer.rawValue + ".pem", "-keyfile", order.signer.rawValue + ".key"]
                }
            try sign(
                [
                    "-md", order.hash, "-in", name + ".csr", "-startdate", order.start, "-enddate", order.end,
                    "-extfile", name + ".ext", "-out", name + ".pem",
                ] + signer)
            switch order.signer {
            case .authority, .stranger, .itself: break
            case .intermediate, .expired, .notYetValid:
                try write(name + ".pem", try read(name + ".pem") + read(order.signer.rawValue + ".pem"))
            }
            let identity = TLSIdentity(certificateFile: path(name + ".pem"), keyFile: path(key))
            made[order] = identity
            return identity
        }
    }

    /// Runs `openssl` in the workshop and gives what it printed.
    @discardableResult
    package func openssl(_ arguments: String...) throws -> String { try openssl(arguments) }

    package func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: directory.appendingPathComponent(name))
    }

    package func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: directory.appendingPathComponent(name)), as: UTF8.self)
    }

    /// The pin of the certificate's key, as the command says that operators are shown.
    package func pin(of order: CertificateOrder) throws -> String {
        let identity = try make(order)
        let key = try openssl("x509", "-noout", "-pubkey", "-in", identity.certificateFile)
        let name = "pin-\(UUID().uuidString)"
        try write(name + ".pub", key)
        try openssl("pkey", "-pubin", "-in", name + ".pub", "-outform", "DER", "-out", name + ".der")
        try openssl("dgst", "-sha256", "-binary", "-out", name + ".hash", name + ".der")
        let text = try openssl("base64", "-in", name + ".hash")
        return "sha256:" + text.prefix { $0 != "\n" }
    }

    private func makeAuthority(
        _ name: String, signedBy parent: String?, start: String = "20200101000000Z", end: String = "20990101000000Z"
    ) throws {
        try openssl(
            "req", "-new", "-key", name + ".key", "-subj", "/CN=Test \(name)", "-out", name + ".csr")
        let signer =
            parent.map { ["-cert", $0 + ".pem", "-keyfile", $0 + ".key"] } ?? ["-selfsign", "-keyfile", name + ".key"]
        try sign(
            [
                "-md", "default", "-in", name + ".csr", "-startdate", start, "-enddate", end,
                "-extfile", "authority.ext", "-out", name + ".pem",
            ] + signer)
    }

    private func sign(_ arguments: [String]) throws {
        try openssl(["ca", "-batch", "-notext", "-config", "ca.cnf"] + arguments)
    }

    @discardableResult
    private func openssl(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandFailed(command: "openssl " + arguments.joined(separator: " "), said: said)
        }
        return said
    }
}
