import BellhopDiagnostics
import Testing

@testable import Bellhop
@testable import BellhopTestServer

/// One thing that a hostile server does, and what must come of it.
struct HostileRow: Sendable, CustomTestStringConvertible {
    /// How far the login has come when the server begins to cheat.
    enum Stage: Sendable {
        /// The bot has connected.
        case dialled
        /// The bot has asked for TLS, and waits for the answer.
        case requestingTLS
        /// TLS is up, and the server's second stream is open without features.
        case opened
        /// Mechanisms are offered inside TLS, SCRAM and PLAIN; the bot has chosen one.
        case offered
        /// SASL is done on both sides; the bot opens its third stream.
        case authenticated
        /// The bot is logged in.
        case online
    }

    enum Ending: Sendable {
        /// It says this and tries again later.
        case comesBack(String)
        /// It says this and ends.
        case ends(ExitCode, String)
        /// It cannot read the stream, tells the server so with this stream error, and tries again later.
        case cannotRead(String, error: String)
        /// It stays, or comes, online on the same connection, and answers people.
        case isOnline
        /// It is online on the connection that the script used last.
        case isOnlineAgain
    }

    /// The most telling thing that the bot said inside TLS; in the clear it says nothing in every row.
    enum Told: Int, Sendable {
        case nothing
        /// Who it is, which it may say to everybody who has the domain's certificate.
        case name
        /// The proof of SCRAM, from which a server that does not know the password could guess at it.
        case proof
        case password
    }

    /// How much of what the server sends may be taken, besides the streams before.
    enum Limit: Sendable {
        case beforeLogin, attributesBeforeLogin, session, attributes, roster
    }

    let name: String
    let stage: Stage
    let ending: Ending
    let told: Told
    /// Set where the server sends without end: it must be stopped by this limit, neither later nor much earlier.
    let limit: Limit?
    /// Said in the log, besides the ending.
    let warning: String?
    /// How much the log may say in which secrets are looked for: everything, where that is not too much.
    let level: LogLevel
    let script: @Sendable (HostileScene) async throws -> Void

    init(
        _ name: String, at stage: Stage, _ ending: Ending, told: Told? = nil, within limit: Limit? = nil,
        warning: String? = nil, level: LogLevel? = nil,
        _ script: @escaping @Sendable (HostileScene) async throws -> Void
    ) {
        self.name = name
        self.stage = stage
        self.ending = ending
        self.told = told ?? Self.told(at: stage)
        self.limit = limit
        self.warning = warning
        self.level = level ?? (limit != nil || stage == .online ? .debug : .trace)
        self.script = script
    }

    /// A server that only sends something.
    init(
        _ name: String, at stage: Stage, _ ending: Ending, told: Told? = nil, warning: String? = nil, sends xml: String
    ) {
        self.init(name, at: stage, ending, told: told, warning: warning) { $0.connection.send(xml) }
    }

    var testDescription: String { "\(name) (\(stage))" }

    private static func told(at stage: Stage) -> Told {
        switch stage {
        case .dialled, .requestingTLS: .nothing
        case .opened, .offered: .name
        case .authenticated, .online: .proof
        }
    }
}
