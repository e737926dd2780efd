import FoundationEssentials
import Glibc

/// A private Prosody or ejabberd from Debian's packages, started by `scripts/servers`, with throw-away data.
package struct RealServer: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case prosody
        case ejabberd
    }

    /// How the instance differs from the plain one (TLS 1.2 and 1.3, registration for everybody, no limits).
    package enum Option: Sendable {
        case domain(String)
        case port(Int)
        case hash(String)
        case onlyPlain
        /// jabber:iq:auth, and no SASL mechanism.
        case onlyLegacyAuth
        case onlyTLS12
        case withoutTLS
        /// Takes connections that begin with TLS as well; see `directPort`.
        case directTLS
        case withoutRegistration
        case bytesPerSecond(Int)
        case stanzaSize(Int)
        /// Lets a component of this domain connect; see `Person.component`.
        case component(String)
        /// A certificate for another name, or of another age, than the plain one.
        case certificate(Certificate)

        package var arguments: [String] {
            switch self {
            case .domain(let name): ["--domain", name]
            case .port(let number): ["--port", String(number)]
            case .hash(let name): ["--hash", name]
            case .onlyPlain: ["--only-plain"]
            case .onlyLegacyAuth: ["--only-legacy-auth"]
            case .onlyTLS12: ["--tls12"]
            case .withoutTLS: ["--no-tls"]
            case .directTLS: ["--direct-tls"]
            case .withoutRegistration: ["--no-registration"]
            case .bytesPerSecond(let count): ["--rate", String(count)]
            case .stanzaSize(let count): ["--stanza-size", String(count)]
            case .component(let name): ["--component", name]
            case .certificate: []
            }
        }
    }

    /// How a component connects.
    package struct Component: Sendable {
        package var domain: String
        package var port: Int
        package var secret: String
    }

    package var kind: Kind
    package var directory: String
    package var host: String
    package var port: Int
    /// The port on which TLS comes first; only with the option `.directTLS`.
    package var directPort: Int?
    package var domain: String
    /// The file with the certificate of the authority that signed the server's.
    package var authority: String
    /// The file that the server logs to.
    package var log: String
    /// Only with the option `.component`.
    package var component: Component?

    /// Runs the body with a server that takes connections; it is gone when this returns.
    package static func running<Result>(
        _ kind: Kind, _ options: [Option] = [], _ body: (RealServer) async throws -> Result
    ) async throws -> Result {
        try await TemporaryDirectory.with { directory in
            for case .certificate(let certificate) in options { try await certificate.write(into: directory) }
            let facts = try await script(kind, ["start", "--dir", directory] + options.flatMap(\.arguments))
            let server = try RealServer(kind: kind, directory: directory, facts: facts)
            do {
                let result = try await body(server)
                try await server.stop()
                return result
            } catch {
                // In a task of its own: a test that ran into its time limit is cancelled, and the server must go all the same.
                _ = await Task { try await server.stop(abruptly: true) }.result
                throw error
            }
        }
    }

    /// Stops the server with a goodbye to its clients, or abruptly as a crash would; returns when its processes are gone.
    package func stop(abruptly: Bool = false) async throws {
        _ = try await RealServer.script(kind, ["stop", "--dir", directory] + (abruptly ? ["--kill"] : []))
    }

    /// Starts it again (after stopping it, if it runs): same port, same data. Returns when it takes connections.
    package func restart() async throws {
        _ = try await RealServer.script(kind, ["restart", "--dir", directory])
    }

    /// Stops every process of the server where it is, as a machine that hangs does: its sockets stay, and nobody answers on them.
    package func freeze() throws { try signal(SIGSTOP) }

    /// Lets it go on.
    package func thaw() throws { try signal(SIGCONT) }

    /// The server leads a process group of its own.
    private func signal(_ number: Int32) throws {
        let facts = try String(contentsOfFile: "\(directory)/env", encoding: .utf8)
        let line = facts.split(separator: "\n").first { $0.hasPrefix("PID=") }
        guard let leader = line.flatMap({ Int32($0.dropFirst("PID=".count)) }), leader > 1, kill(-leader, number) == 0
        else { throw RawStreamFault(description: "no server to signal: \(line ?? "no PID")") }
    }

    /// The lines of the server's own log, from its start on.
    package func logLines() throws -> [String] {
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Runs the server's script and returns the facts that it prints.
    private static func script(_ kind: Kind, _ arguments: [String]) async throws -> [String: String] {
        let run = try await ChildProcess("\(repository)/scripts/servers/\(kind.rawValue)", arguments).completed()
        guard run.end == .exited(0) else {
            throw ServerScriptFault(command: "\(kind.rawValue) \(arguments.joined(separator: " "))", words: run.errors)
        }
        var facts: [String: String] = [:]
        for line in run.output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { facts[parts[0]] = parts[1] }
        }
        return facts
    }

    private init(kind: Kind, directory: String, facts: [String: String]) throws {
        self.kind = kind
        self.directory = directory
        guard let host = facts["HOST"], let port = facts["PORT"].flatMap({ Int($0) }), let domain = facts["DOMAIN"],
            let authority = facts["CA"], let log = facts["LOG"]
        else { throw ServerScriptFault(command: kind.rawValue, words: "it printed no facts: \(facts)") }
        self.host = host
        self.port = port
        directPort = facts["DIRECT_PORT"].flatMap { Int($0) }
        self.domain = domain
        self.authority = authority
        self.log = log
        if let name = facts["COMPONENT"], let port = facts["COMPONENT_PORT"].flatMap({ Int($0) }) {
            component = Component(domain: name, port: port, secret: facts["COMPONENT_SECRET"] ?? "")
        }
    }

    /// The root of the package, found from where this file lies.
    package static var repository: String {
        #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
    }
}

/// A server script that failed, with what it said.
package struct ServerScriptFault: Error, CustomStringConvertible {
    package var command: String
    package var words: String

    package var description: String { "scripts/servers/\(command): \(words)" }
}
