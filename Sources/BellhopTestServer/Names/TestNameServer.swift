internal import BellhopTransport
internal import Synchronization

/// A name server on a port of 127.0.0.1, by UDP and TCP, that says what its zone says and lies where it is told to.
///
/// It shares no code with what asks it, so that two equal mistakes do not agree.
package final class TestNameServer: Sendable {
    package let port: UInt16
    private let zone: Mutex<Zone>
    private let asked = Mutex<[String]>([])
    private let threads = Mailbox<Int> { "thread \($0)" }
    private let datagrams: UDPSocket
    private let listener: Listener
    private let doorbells: [Wakeup]

    private init(_ zone: Zone) throws {
        self.zone = Mutex(zone)
        (datagrams, listener) = try Self.bothSockets()
        port = listener.port
        doorbells = [try Wakeup(), try Wakeup()]
    }

    /// Runs one for as long as the body.
    package static func running<Result>(
        _ zone: Zone, _ body: (TestNameServer) async throws -> Result
    ) async throws -> Result {
        let server = try TestNameServer(zone)
        try server.listen()
        do {
            let result = try await body(server)
            try await server.finish()
            return result
        } catch {
            try? await server.finish()
            throw error
        }
    }

    /// What it was asked so far, in words, like `SRV _xmpp-client._tcp.example.test`, or the same with `by TCP`.
    package var questions: [String] { asked.withLock { $0 } }

    /// Knows something else from now on.
    package func change(_ zone: Zone) { self.zone.withLock { $0 = zone } }

    /// One port for both: a free one of TCP, which UDP need not have free.
    private static func bothSockets() throws -> (UDPSocket, Listener) {
        for _ in 0..<50 {
            let listener = try Listener()
            if let datagrams = try? UDPSocket(onPort: listener.port) { return (datagrams, listener) }
        }
        throw TestServerFailure(wanted: "a port for a name server", reason: .wrong("none is free"), instead: [])
    }

    private func listen() throws {
        try LoopThread.start("names-udp") { [self] in
            while let (bytes, sender) = datagrams.receive(until: doorbells[0]) {
                for answer in answers(to: bytes, byStream: false) { datagrams.send(answer, toPort: sender) }
            }
            threads.post(0)
        }
        try LoopThread.start("names-tcp") { [self] in
            while let socket = listener.accept(until: doorbells[1]) { serve(socket) }
            threads.post(1)
        }
    }

    private func answers(to bytes: [UInt8], byStream: Bool) -> [[UInt8]] {
        guard let message = ZoneMessage(bytes) else { return [] }
        asked.withLock { $0.append(message.text + (byStream ? " by TCP" : "")) }
        return message.answers(in: zone.withLock { $0 }, byStream: byStream)
    }

    /// One question a connection.
    private func serve(_ socket: Socket) {
        let poller = Poller(wakeup: doorbells[1])
        var received: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while true {
            switch socket.read(into: &room) {
            case .bytes(let count): received += room.prefix(count)
            case .wouldBlock:
                if poller.wait(socket: socket, reading: true, writing: false, timeout: nil).woken {
                    doorbells[1].ring()
                    return
                }
            case .ended, .failed: return
            }
            guard received.count >= 2, received.count >= 2 + (Int(received[0]) << 8 | Int(received[1])) else {
                continue
            }
            for answer in answers(to: Array(received.dropFirst(2)), byStream: true) {
                let bytes = [UInt8(answer.count >> 8), UInt8(answer.count & 0xFF)] + answer
                _ = socket.write(bytes.span)
            }
            return
        }
    }

    private func finish() async throws {
        for doorbell in doorbells { doorbell.ring() }
        for thread in 0..<2 {
            try await threads.take("the end of a name server's thread", patience: .seconds(30)) {
                $0 == thread ? () : nil
            }
        }
        listener.close()
    }
}
