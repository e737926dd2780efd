import Bellhop
import Testing

@testable import opsbot

@Suite("reach")
struct ReachTests {
    @Test(
        "ports and pages are told apart",
        arguments: [
            ("db.example.org:5432", .port(host: "db.example.org", port: 5432)),
            ("127.0.0.1:1", .port(host: "127.0.0.1", port: 1)),
            ("[2001:db8::1]:65535", .port(host: "2001:db8::1", port: 65_535)),
            ("host_a:80", .port(host: "host_a", port: 80)),
            ("https://example.org/", .page("https://example.org/")),
            ("HTTP://EXAMPLE.org", .page("HTTP://EXAMPLE.org")),
            ("http://[::1]:8080/a?b=c#d", .page("http://[::1]:8080/a?b=c#d")),
            ("https://example.org:8443/x@y", .page("https://example.org:8443/x@y")),
        ] as [(String, ReachTarget)])
    func right(text: String, target: ReachTarget) throws {
        #expect(ReachTarget(argumentText: text) == target)
        #expect(target.argumentText == text)
    }

    @Test(
        "everything else is neither",
        arguments: [
            "", "example.org", ":80", "a:", "a:0", "a:65536", "a:99999999999", "a:-1", "a:+1", "a:8 0", "a:80:90",
            "[::1]",
            "[::1]80", "[::1", "[]:80", "[a.b]:80", "[::1%eth0]:80", "::1:80", "-a:80", "-K:80", ".a:80", "a/b:80",
            "http://", "http:///x", "https://:443/", "http://user:secret@example.org/", "http://user@example.org/",
            "http://example.org:0/", "http://example.org:x/", "http://example.org\\@evil.example/",
            "http://exa mple.org/",
            "http://-x/", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org:70/",
            "http://exämple.org/", "http://example.org/\u{0}", "http://example.org/\n", "a:٣",
            "http://" + String(repeating: "a", count: 2_000),
        ])
    func wrong(text: String) {
        #expect(ReachTarget(argumentText: text) == nil)
    }

    private static func ask(_ text: String, _ machine: Machine) async throws -> String {
        let target = try #require(ReachTarget(argumentText: text))
        return try await Command.answer(target, of: machine, within: .seconds(5))
    }

    @Test("a port that takes connections, and one that does not")
    func ports() async throws {
        let open = Machine.recorded(reach: .connected(address: "192.0.2.7"))
        #expect(try await Self.ask("db.example.org:5432", open) == "db.example.org:5432 (192.0.2.7) takes connections.")
        #expect(try await Self.ask("192.0.2.7:22", open) == "192.0.2.7:22 takes connections.")
        let closed = Machine.recorded(reach: .unreachable("::1 port 1: Connection refused"))
        #expect(try await Self.ask("[::1]:1", closed) == "[::1]:1 cannot be reached: ::1 port 1: Connection refused.")
    }

    @Test(
        "a page is told by its status, or by why there is none",
        arguments: [
            (ProgramResult(.exited(0), lines: ["200 0.043512"]), "answers with status 200 after 43 ms."),
            (
                ProgramResult(.exited(0), lines: ["301 0.5"]),
                "answers with status 301 (it sends elsewhere) after 500 ms."
            ),
            (
                ProgramResult(.exited(0), lines: ["404 1.25"]),
                "answers with status 404 (it refuses that) after 1250 ms."
            ),
            (ProgramResult(.exited(0), lines: ["503 nan"]), "answers with status 503 (it has an error)."),
            (
                ProgramResult(
                    .exited(28), lines: ["200 0.1"], errors: ["curl: (28) Operation timed out after 5000 ms"]),
                "answers with status 200 after 100 ms."
            ),
            (
                ProgramResult(
                    .exited(7), lines: ["000 0.000000"],
                    errors: ["curl: (7) Failed to connect to x.example port 80: Connection refused"]),
                "does not answer: Failed to connect to x.example port 80: Connection refused."
            ),
            (ProgramResult(.exited(6), lines: ["000 0.0"]), "does not answer: curl ended with exit code 6."),
        ])
    func pages(result: ProgramResult, answer: String) async throws {
        let programs = RecordedPrograms { _ in result }
        #expect(
            try await Self.ask("http://x.example/", .recorded(programs: programs)) == "http://x.example/ \(answer)")
        let call = try #require(programs.calls.first)
        #expect(call.prefix(2) == ["curl", "--disable"])
        #expect(call.suffix(2) == ["--url", "http://x.example/"])
        #expect(call.contains("=http,https"))
        #expect(call.contains("--max-time"))
        #expect(!call.contains("--location"))
    }

    @Test(
        "a curl that is missing or fails is a sentence",
        arguments: [
            (
                ProgramResult(.missing),
                "There is no curl on this machine, so I can only try ports: reach HOST:PORT. To try URLs, install curl."
            ),
            (ProgramResult(.timedOut), "curl did not answer within 7 seconds."),
            (ProgramResult(.noTurn), "Too many programs run at the moment; please try again later."),
            (
                ProgramResult(.exited(2), errors: ["curl: option --x: is unknown"]),
                "curl failed with exit code 2: curl: option --x: is unknown"
            ),
            (ProgramResult(.exited(0)), "curl failed with exit code 0."),
            (ProgramResult(.signalled("SIGSEGV")), "curl was ended by SIGSEGV."),
        ])
    func failures(result: ProgramResult, said: String) async {
        let machine = Machine.recorded(programs: RecordedPrograms { _ in result })
        #expect(await sentence { _ = try await Self.ask("https://x.example/", machine) } == said)
    }
}
