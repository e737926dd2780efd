import BellhopDiagnostics
import BellhopXMPP
import Foundation

@testable import Bellhop
@testable import BellhopTestServer

/// The configuration of the standard bot for a test server, with a journal in a folder of its own.
enum BotConfiguration {
    static let account = "opsbot@bots.example.test"
    static let bound = "opsbot@bots.example.test/main"
    static let password = Secret("secret")

    /// Makes a short folder name: the control socket beside the journal has room for a hundred bytes.
    static func inFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let name = UUID().uuidString.prefix(13)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wire-\(name)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.path)
    }

    /// TLS where the server offers it, else a stream in the clear.
    static func standard(_ server: TestServer, folder: String, jid: String = account) throws -> Configuration {
        var configuration = Configuration(jid: try JID(jid), password: Secret("secret"))
        configuration.account.server = Configuration.Server(host: "127.0.0.1", port: server.port)
        configuration.account.connection.resource = "main"
        configuration.account.connection.reconnectSpread = .zero
        if server.options.tls == nil {
            configuration.account.connection.encryption = .off
        } else {
            configuration.account.connection.authorities = try TestIdentity.shared.get().authorityFile
        }
        configuration.admins = [try JID("admin@example.test")]
        configuration.commands.language = "en"
        configuration.journal.path = folder + "/j.db"
        return configuration
    }
}
