import Testing

/// One server for all tests of a suite: `@Suite(.server(.prosody))`, and in a test `try SharedServer.current`.
struct SharedServer: SuiteTrait, TestScoping {
    @TaskLocal private static var running: RealServer?

    var kind: RealServer.Kind
    var options: [RealServer.Option]

    /// The server of the suite that the calling test belongs to.
    static var current: RealServer {
        get throws { try #require(running, "the suite needs the trait .server(...)") }
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await RealServer.running(kind, options) { server in
            try await SharedServer.$running.withValue(server) { try await function() }
        }
    }
}

extension Trait where Self == SharedServer {
    static func server(_ kind: RealServer.Kind, _ options: [RealServer.Option] = []) -> SharedServer {
        SharedServer(kind: kind, options: options)
    }
}
