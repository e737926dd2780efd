import BellhopCrypto
import CertificateWorkshop
import Foundation

/// A certificate for the test server's domain and the authority that signed it, made by the `openssl` command.
struct TestIdentity: Sendable {
    /// Made once for all tests.
    static let shared = Result { try TestIdentity(domain: "bots.example.test") }

    let server: TLSContext
    /// The file to trust, for whoever takes a path.
    let authorityFile: String
    let client: TLSContext

    struct CommandFailed: Error { var arguments: [String] }

    /// - Parameter subject: The name in the certificate in OpenSSL's words, like `IP:127.0.0.1`; nil for the domain.
    init(domain: String, days: Int = 30, subject: String? = nil) throws {
        let folder = URL(fileURLWithPath: try RunFolder.make("identity"))
        func openssl(_ arguments: String...) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["openssl"] + arguments
            process.currentDirectoryURL = folder
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw CommandFailed(arguments: arguments) }
        }
        let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try openssl(
            "req", "-x509", curve[0], curve[1], curve[2], curve[3], curve[4], "-days", "\(days)", "-subj",
            "/CN=Test authority",
            "-keyout", "ca.key", "-out", "ca.pem")
        try openssl(
            "req", curve[0], curve[1], curve[2], curve[3], curve[4], "-subj", "/CN=\(domain)", "-keyout", "key.pem",
            "-out",
            "request.pem")
        try Data("subjectAltName=\(subject ?? "DNS:\(domain)")\nbasicConstraints=CA:FALSE\n".utf8).write(
            to: folder.appendingPathComponent("extensions"))
        try openssl(
            "x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days",
            "\(days)",
            "-extfile", "extensions", "-out", "certificate.pem")
        authorityFile = folder.appendingPathComponent("ca.pem").path
        server = try .server(
            TLSIdentity(
                certificateFile: folder.appendingPathComponent("certificate.pem").path,
                keyFile: folder.appendingPathComponent("key.pem").path))
        client = try .client(trust: .file(authorityFile))
    }
}
