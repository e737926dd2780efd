import BellhopCrypto
import Foundation

/// A certificate authority of the tests, and servers with good and bad certificates, made by the `openssl` command.
///
/// The files are gone when it is made: the contexts hold all that is needed.
struct TestAuthority: Sendable {
    static let shared = Result { try TestAuthority() }

    /// What the refusal of broken files looks like, made while the files were there.
    let fileFaults: [String: TLSError]
    private let servers: [Certificate: TLSContext]
    private let clients: [Trust: TLSContext]

    enum Certificate: String, CaseIterable, Sendable {
        case good, expired, notYetValid, selfSigned, wildcard, partialWildcard, address, commonNameOnly, clientOnly
    }

    /// The only thing that a client trusts.
    enum Trust: String, CaseIterable, Sendable {
        case authority
        /// An authority that signed nothing here.
        case anotherAuthority
        case selfSigned
    }

    func client(_ trust: Trust) throws -> TLSContext {
        guard let context = clients[trust] else { throw CommandFailure(command: trust.rawValue) }
        return context
    }

    func server(_ certificate: Certificate) throws -> TLSContext {
        guard let context = servers[certificate] else { throw CommandFailure(command: certificate.rawValue) }
        return context
    }

    private init() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        try workshop.makeAuthority("ca")
        try workshop.makeAuthority("another")
        var servers: [Certificate: TLSContext] = [:]
        for certificate in Certificate.allCases {
            try workshop.make(certificate)
            servers[certificate] = try TLSContext.server(
                certificateFile: workshop.path(certificate.rawValue + ".pem"), keyFile: workshop.path("key.pem"))
        }
        self.servers = servers
        clients = [
            .authority: try .client(trust: .file(workshop.path("ca.pem"))),
            .anotherAuthority: try .client(trust: .file(workshop.path("another.pem"))),
            .selfSigned: try .client(trust: .file(workshop.path("selfSigned.pem"))),
        ]
        fileFaults = [
            "a missing trust file": workshop.fault { try .client(trust: .file("/nonexistent/ca.pem")) },
            "a key for trust": workshop.fault { try .client(trust: .file(workshop.path("key.pem"))) },
            "a directory for trust": workshop.fault { try .client(trust: .file(workshop.path(""))) },
            "a key for a certificate": workshop.fault {
                try .server(certificateFile: workshop.path("key.pem"), keyFile: workshop.path("key.pem"))
            },
            "another's key": workshop.fault {
                try .server(certificateFile: workshop.path("good.pem"), keyFile: workshop.path("another.key"))
            },
        ].compactMapValues { $0 }
    }
}

struct CommandFailure: Error {
    let command: String
}

/// A directory where the `openssl` command makes keys and certificates.
private struct Workshop {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("bellhop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "key.pem")
        try write("serial", "01\n")
        try write("index", "")
        try write("index.attr", "unique_subject = no\n")
        try write(
            "ca.cnf",
            """
            [ca]
            default_ca = tests
            [tests]
            database = index
            serial = serial
            new_certs_dir = .
            certificate = ca.pem
            private_key = ca.key
            default_md = sha256
            policy = anything
            [anything]
            commonName = supplied

            """)
    }

    func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    func remove() { try? FileManager.default.removeItem(at: directory) }

    func fault(_ make: () throws -> TLSContext) -> TLSError? {
        do {
            _ = try make()
            return nil
        } catch {
            return error as? TLSError
        }
    }

    func makeAuthority(_ name: String) throws {
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
            "-subj", "/CN=Authority \(name)", "-keyout", "\(name).key", "-out", "\(name).pem")
    }

    func make(_ certificate: TestAuthority.Certificate) throws {
        switch certificate {
        case .good: try sign(certificate, "DNS:chat.example, DNS:rooms.chat.example")
        case .expired: try sign(certificate, "DNS:chat.example", from: "20200101000000Z", to: "20200201000000Z")
        case .notYetValid: try sign(certificate, "DNS:chat.example", from: "20980101000000Z", to: "20990101000000Z")
        case .wildcard: try sign(certificate, "DNS:*.chat.example")
        case .partialWildcard: try sign(certificate, "DNS:c*t.example, DNS:ch*.chat.example")
        case .address: try sign(certificate, "IP:127.0.0.1, IP:2001:db8::1")
        case .commonNameOnly: try sign(certificate, nil)
        case .clientOnly: try sign(certificate, "DNS:chat.example", usage: "clientAuth")
        case .selfSigned:
            try openssl(
                "req", "-x509", "-key", "key.pem", "-days", "30", "-subj", "/CN=chat.example", "-addext",
                "subjectAltName=DNS:chat.example", "-out", "selfSigned.pem")
        }
    }

    private func sign(
        _ certificate: TestAuthority.Certificate, _ names: String?, from start: String = "20200101000000Z",
        to end: String = "20990101000000Z", usage: String = "serverAuth"
    ) throws {
        let name = certificate.rawValue
        try openssl("req", "-new", "-key", "key.pem", "-subj", "/CN=chat.example", "-out", "\(name).csr")
        let alternatives = names.map { "subjectAltName=\($0)\n" } ?? ""
        try write("\(name).ext", "basicConstraints=CA:FALSE\nextendedKeyUsage=\(usage)\n" + alternatives)
        try openssl(
            "ca", "-batch", "-notext", "-config", "ca.cnf", "-in", "\(name).csr", "-startdate", start, "-enddate", end,
            "-extfile", "\(name).ext", "-out", "\(name).pem")
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: directory.appendingPathComponent(name))
    }

    private func openssl(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandFailure(command: "openssl " + arguments.joined(separator: " "))
        }
    }
}
