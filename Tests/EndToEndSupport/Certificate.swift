import FoundationEssentials

/// A server's certificate that is not as it should be, with the authority that signed it.
package struct Certificate: Sendable {
    /// The DNS name in it.
    package var name: String
    /// As OpenSSL writes it, like `20300101000000Z`.
    package var begins: String
    package var ends: String
    /// Whether it stands for itself, and the authority has nothing to do with it.
    package var isSelfSigned: Bool
    /// Whether the name stands where clients look for it, and not only in the subject.
    package var hasAlternativeName: Bool

    package init(
        name: String, begins: String = "20240101000000Z", ends: String = "20990101000000Z", isSelfSigned: Bool = false,
        hasAlternativeName: Bool = true
    ) {
        self.name = name
        self.begins = begins
        self.ends = ends
        self.isSelfSigned = isSelfSigned
        self.hasAlternativeName = hasAlternativeName
    }

    /// Writes what the server's script takes for its own: `ca.pem`, `server.pem` and `server.key`.
    package func write(into directory: String) async throws {
        let configuration = """
            [ca]
            default_ca = authority
            [authority]
            database = \(directory)/index.txt
            new_certs_dir = \(directory)
            rand_serial = yes
            default_md = sha256
            policy = anything
            [anything]
            commonName = supplied
            [authority_extensions]
            basicConstraints = critical,CA:TRUE
            keyUsage = critical,keyCertSign
            [server_extensions]
            basicConstraints = critical,CA:FALSE
            \(hasAlternativeName ? "subjectAltName = DNS:\(name)" : "")
            """
        try Data(configuration.utf8).write(to: URL(filePath: "\(directory)/ca.cnf"))
        try Data().write(to: URL(filePath: "\(directory)/index.txt"))
        let script = """
            set -e
            cd "$1"
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=Test authority" \
                -keyout ca.key -out ca.pem
            openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$2" -keyout server.key -out server.csr
            openssl ca -batch -notext -config ca.cnf $5 -extensions server_extensions \
                -startdate "$3" -enddate "$4" -in server.csr -out server.pem
            """
        let signer = isSelfSigned ? "-selfsign -keyfile server.key" : "-cert ca.pem -keyfile ca.key"
        let run = try await ChildProcess("/bin/sh", ["-c", script, "sh", directory, name, begins, ends, signer])
            .completed()
        guard run.end == .exited(0) else { throw ServerScriptFault(command: "certificate", words: run.errors) }
    }
}

/// An authority that signed no certificate of the server's.
package enum TemporaryAuthority {
    /// Makes one and returns the path of its certificate.
    package static func path(in directory: String) async throws -> String {
        let other = "\(directory)/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try await Certificate(name: "nobody.example").write(into: other)
        return "\(other)/ca.pem"
    }
}
