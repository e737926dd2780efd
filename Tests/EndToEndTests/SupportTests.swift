import FoundationEssentials
import Glibc
import Testing

@Suite("The support of the end-to-end tests", .timeLimit(.minutes(2)))
struct SupportTests {
    @Test("a child gets its input, and its two streams and its end come back apart")
    func streams() async throws {
        let child = try ChildProcess("/bin/sh", ["-c", "cat; echo oops >&2; exit 7"])
        let run = try await child.completed(input: "one\ntwo")
        #expect(run == CompletedRun(end: .exited(7), output: "one\ntwo", errors: "oops\n"))
    }

    @Test("a line can be waited for while the child runs, and a signal ends it")
    func signals() async throws {
        let child = try ChildProcess("/bin/sh", ["-c", "echo $GREETING; exec cat"], environment: ["GREETING": "ready"])
        #expect(try await child.output.line(containing: "ready") == "ready")
        await child.write("first\n")
        #expect(try await child.output.line(containing: "first") == "first")
        child.signal(SIGTERM)
        #expect(await child.end() == .killed(by: SIGTERM))
        await child.write("nobody reads this\n")
        #expect(try await child.output.line(containing: "nobody") == nil)
    }

    @Test("a child of a body that fails does not outlive it")
    func scoped() async throws {
        struct Failure: Error {}
        var kept: ChildProcess?
        await #expect(throws: Failure.self) {
            try await ChildProcess.running("/bin/cat") { child in
                kept = child
                throw Failure()
            }
        }
        #expect(await kept?.end() == .killed(by: SIGKILL))
    }

    @Test("the package's programs lie beside the tests")
    func products() {
        for product in [Product.echobot, .visitor] {
            #expect(FileManager.default.isExecutableFile(atPath: product.path), "\(product.path)")
        }
    }

    @Test("a program that is not there is an error and not a crash")
    func missing() {
        #expect(throws: SpawnFault.self) { try ChildProcess("/nowhere/program") }
    }

    @Test("a child that is forgotten right after a write takes nobody with it", arguments: 1...200)
    func forgotten(time: Int) async throws {
        let child = try ChildProcess("/bin/true")
        #expect(await child.end() == .exited(0))
        await child.write("nobody reads this\n")
    }

    @Test("a cancelled wait kills the child")
    func cancelled() async throws {
        let child = try ChildProcess("/bin/cat")
        let end = Task { await child.end() }
        end.cancel()
        #expect(await end.value == .killed(by: SIGKILL))
    }

    @Test(
        "a server answers, is the same after a restart, and leaves nothing behind", arguments: RealServer.Kind.allCases)
    func lifetime(kind: RealServer.Kind) async throws {
        let directory = try await RealServer.running(kind, [.domain("bots.example")]) { server in
            #expect(server.domain == "bots.example")
            #expect(try await handshake(server).contains("Verify return code: 0 (ok)"))
            try await server.stop()
            #expect(try await !handshake(server).contains("Verify return code"))
            try await server.restart()
            #expect(try await handshake(server).contains("Verify return code: 0 (ok)"))
            return server.directory
        }
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    /// What OpenSSL's own client says about STARTTLS with the server.
    private func handshake(_ server: RealServer) async throws -> String {
        let arguments = [
            "s_client", "-connect", "\(server.host):\(server.port)", "-starttls", "xmpp", "-xmpphost", server.domain,
            "-CAfile", server.authority, "-verify_hostname", server.domain, "-servername", server.domain,
        ]
        return try await ChildProcess("/usr/bin/openssl", arguments).completed().output
    }
}

@Suite("One server for a suite", .server(.prosody), .timeLimit(.minutes(2)))
struct SharedServerTests {
    @Test("all tests of the suite meet the same server", arguments: 1...2)
    func shared(time: Int) throws {
        #expect(try SharedServer.current.kind == .prosody)
    }
}
