import BellhopClient
import BellhopDiagnostics
import BellhopEngine
import BellhopTransport
import BellhopXMPP
import Synchronization
import Testing

@testable import BellhopTestServer

@Suite("A login that is cut anywhere")
struct LoginCutTests {
    /// A cut in the clear after each byte of the server; in TLS after each thirteenth, handshake included.
    @Test("the bot ends or would come back, and never hangs", arguments: [(isEncrypted: false, step: 1), (true, 13)])
    func cut(isEncrypted: Bool, step: Int) async throws {
        let identity = try TestIdentity.shared.get()
        var options = TestServerOptions(tls: isEncrypted ? identity.server : nil)
        options.mechanisms = ["SCRAM-SHA-1"]
        try await TestServer.running(options) { server in
            var isOnline = false
            var length = 1
            while !isOnline {
                let (ending, wasOnline) = try await login(server, cutAfter: length, identity.authorityFile)
                // Every break is one that another attempt may mend.
                if !wasOnline {
                    guard case .failed = ending else {
                        Issue.record("cut after \(length) bytes: \(ending)")
                        return
                    }
                }
                isOnline = wasOnline
                length += step
            }
            #expect(length > 500)
        }
    }

    @Test(
        "cut behind any segment of the server's, the next attempt of the same run gets through",
        arguments: [false, true])
    func comesBack(isEncrypted: Bool) async throws {
        let identity = try TestIdentity.shared.get()
        let options = TestServerOptions(tls: isEncrypted ? identity.server : nil, mechanisms: ["SCRAM-SHA-1"])
        try await TestServer.running(options) { server in
            var segments = 0
            while try await isCut(server, after: segments, identity.authorityFile) { segments += 1 }
            // Three streams with their features, challenge, success, bind and roster, and with TLS a proceed and a flight of the handshake.
            #expect(segments >= (isEncrypted ? 9 : 6))
        }
    }

    /// A run whose first connection is cut, and which must be online on the second; false when the first login came to its end.
    private func isCut(_ server: TestServer, after segments: Int, _ authorities: String) async throws -> Bool {
        var settings = AccountSettings(jid: try JID(BotConfiguration.account), password: Secret("secret"))
        settings.server = ServerTarget(Endpoint(host: "127.0.0.1", port: server.port))
        settings.authorities = authorities
        settings.requiresTLS = server.options.tls != nil
        settings.backoff = Backoff(first: .milliseconds(1), spread: .zero, cap: .milliseconds(1))
        let asked = settings
        let endings = Mailbox<AccountEnding> { "\($0)" }
        let handles = Mailbox<AccountHandle> { _ in "a handle" }
        try LoopThread.start("account") {
            let house = BareHouse(isPatient: true)
            guard let loop = try? AccountLoop(settings: asked, log: .silent) else { return }
            handles.post(loop.handle)
            endings.post(loop.run(house: house))
        }
        let handle = try await handles.take("a handle", patience: .seconds(30)) { $0 }
        let first = try await server.connection()
        first.limit(toSegments: segments)
        let isWhole = (try? await first.login(as: BotConfiguration.account)) != nil
        if !isWhole {
            let second = try await server.connection()
            let login = try await second.login(as: BotConfiguration.account)
            #expect(login.bound.hasPrefix(BotConfiguration.account), "cut after \(segments) segments")
        }
        handle.stop()
        handle.stop()
        let ending = try await endings.take("the end", patience: .seconds(30)) { $0 }
        #expect(ending == .stopped)
        return !isWhole
    }

    /// One login of an account that tries once; how it ended, and whether it was online before.
    private func login(
        _ server: TestServer, cutAfter length: Int, _ authorities: String
    ) async throws -> (AccountEnding, Bool) {
        var settings = AccountSettings(jid: try JID(BotConfiguration.account), password: Secret("secret"))
        settings.server = ServerTarget(Endpoint(host: "127.0.0.1", port: server.port))
        settings.authorities = authorities
        settings.requiresTLS = server.options.tls != nil
        settings.retries = false
        let endings = Mailbox<(AccountEnding, Bool)> { "\($0)" }
        let asked = settings
        try LoopThread.start("account") {
            let house = BareHouse()
            guard let loop = try? AccountLoop(settings: asked, log: .silent) else { return }
            house.handle = loop.handle
            endings.post((loop.run(house: house), house.isOnline))
        }
        let connection = try await server.connection()
        connection.limit(toBytes: length)
        let script = Task { try await connection.login(as: BotConfiguration.account) }
        let ending = try await endings.take("the end after \(length) bytes", patience: .seconds(30)) { $0 }
        connection.drop()
        _ = try? await script.value
        return ending
    }
}

/// Somebody behind an account who only wants to know whether it was online.
private final class BareHouse: AccountHouse {
    var handle: AccountHandle?
    private(set) var isOnline = false
    /// Whether it stays online until somebody stops it.
    private let isPatient: Bool

    init(isPatient: Bool = false) { self.isPatient = isPatient }

    func occurred(_ event: AccountEvent, now: Duration) {
        guard case .online = event else { return }
        isOnline = true
        guard !isPatient else { return }
        handle?.stop()
        handle?.stop()
    }

    func received(_ message: consuming IncomingMessage, now: Duration) {}
    func bounced(_ message: IncomingMessage, now: Duration) {}
    func requested(by jid: JID, stanza: Presence, now: Duration) {}
    func received(input: any Sendable, now: Duration) {}
    func reachedDeadline(now: Duration) {}
    var nextDeadline: Duration? { nil }
    func commit(now: Duration) -> Commitment { .released }
    func committed(now: Duration, left: Bool) {}
    func stopping(now: Duration) {}
    var isQuiet: Bool { true }
}
