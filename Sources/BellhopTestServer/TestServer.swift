internal import BellhopTransport
internal import Synchronization

/// An XMPP server inside the test's process that plays what a script says, faults included.
///
/// It listens on 127.0.0.1 and knows nothing by itself: every answer is the script's. It shares the XML door and the
/// crypto door with Bellhop, but none of its state machines, so that two equal mistakes do not agree. Each wait of a
/// script is for a fact, and ends with a failure that says what came instead.
package final class TestServer: Sendable {
    package let options: TestServerOptions
    /// The port on 127.0.0.1; stays the same, and nobody else's, when the server stops listening and starts again.
    package var port: UInt16 { listener.port }
    private let listener: Listener

    private struct State {
        var accepted = 0
        var connections: [TestConnection] = []
        /// Set while it listens; dropping it and ringing ends the listening thread.
        var doorbell: Wakeup?
    }

    private let state = Mutex(State())
    private let arrivals = Mailbox<TestConnection> { "connection \($0.number)" }
    private let departures = Mailbox<Int> { "thread \($0)" }

    private init(_ options: TestServerOptions, _ listener: Listener) {
        self.options = options
        self.listener = listener
    }

    /// Runs a server for as long as the script runs; afterwards no thread and no socket of it is left.
    package static func running<Result: Sendable>(
        _ options: TestServerOptions = TestServerOptions(), _ script: (TestServer) async throws -> Result
    ) async throws -> Result {
        let listener = try Listener()
        let server = TestServer(options, listener)
        try server.accept()
        do {
            let result = try await script(server)
            try await server.finish()
            return result
        } catch {
            try? await server.finish()
            throw error
        }
    }

    /// How many connections were accepted so far.
    package var connectionCount: Int { state.withLock { $0.accepted } }

    /// All that clients said, connection by connection.
    package var heard: [Overheard] { state.withLock { $0.connections }.map(\.heard) }

    /// The next connection that no script has taken yet.
    package func connection() async throws -> TestConnection {
        try await arrivals.take("a connection", patience: options.patience) { $0 }
    }

    /// Refuses further connections; those that exist go on.
    package func stopListening() async throws {
        let doorbell = state.withLock { state in
            let doorbell = state.doorbell
            state.doorbell = nil
            return doorbell
        }
        guard let doorbell else { return }
        doorbell.ring()
        try await departures.take("the listening thread's end", patience: options.patience) { $0 == 0 ? () : nil }
    }

    /// Accepts connections again, on the same port.
    package func listen() throws {
        try listener.open()
        try accept()
    }

    private func accept() throws {
        let doorbell = try Wakeup()
        state.withLock { $0.doorbell = doorbell }
        try LoopThread.start("test-listener") { [self] in
            while let socket = listener.accept(until: doorbell) { accepted(socket) }
            listener.close()
            departures.post(0)
        }
    }

    private func accepted(_ socket: Socket) {
        guard let doorbell = try? Wakeup() else { return }
        let connection = state.withLock { state in
            state.accepted += 1
            let connection = TestConnection(number: state.accepted, options: options, wakeup: doorbell)
            state.connections.append(connection)
            return connection
        }
        do {
            try LoopThread.start("test-conn-\(connection.number)") { [departures] in
                connection.serve(socket)
                departures.post(connection.number)
            }
            arrivals.post(connection)
        } catch {
            connection.facts.end("no thread: \(error)")
            departures.post(connection.number)
        }
    }

    private func finish() async throws {
        try await stopListening()
        for connection in state.withLock({ $0.connections }) {
            connection.drop()
            try await departures.take("the end of connection \(connection.number)", patience: options.patience) {
                $0 == connection.number ? () : nil
            }
        }
    }
}
