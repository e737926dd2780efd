import BellhopTransport
import Glibc
import Synchronization

/// Stands between a client and a server, remembers what the client sent, and cuts the line when it is told to.
package final class Relay: Sendable {
    package let port: Int
    /// One list for each connection.
    private let sent = Mutex<[[UInt8]]>([])
    private let lines = Mutex<[Line]>([])
    private let listener: Int32
    private let isBlocked = Mutex(false)

    /// How a line comes to its end.
    package enum Cut: String, CaseIterable, Sendable {
        /// Both sides see the other close.
        case closed
        /// Both sides see a reset.
        case reset
        /// What the server sends next is lost on the way, and then both sides see the other close.
        case losesIncoming
        /// Likewise with what the client sends next.
        case losesOutgoing
    }

    /// Runs the body with a relay to the server.
    package static func running<Result>(to server: RealServer, _ body: (Relay) async throws -> Result) async throws
        -> Result
    {
        let relay = try Relay(to: UInt16(clamping: server.port))
        defer { shutdown(relay.listener, Int32(SHUT_RDWR)) }
        return try await body(relay)
    }

    private init(to target: UInt16) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Relay.loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        listener = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isListening else { throw RawStreamFault(description: "no relay, error number \(errno)") }
        try LoopThread.start("relay") { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { break }
                try? pass(client, to: target)
            }
            close(listener)
        }
    }

    /// The TLS records of each connection, behind what was sent in the clear; by their type, as RFC 5246 numbers them.
    package var recordTypes: [[UInt8]] { sent.withLock { $0 }.map(Self.recordTypes(in:)) }

    private static func recordTypes(in bytes: [UInt8]) -> [UInt8] {
        // The handshake of a client begins the record layer: type 22, version 3.x.
        guard var place = bytes.indices.first(where: { bytes[$0...].starts(with: [22, 3]) }) else { return [] }
        var types: [UInt8] = []
        while place + 5 <= bytes.count {
            types.append(bytes[place])
            place += 5 + Int(bytes[place + 3]) << 8 + Int(bytes[place + 4])
        }
        return types
    }

    /// Cuts every connection; how many were cut, or will be as soon as something comes.
    @discardableResult
    package func cut(_ cut: Cut) -> Int {
        let open = lines.withLock { lines in
            lines.removeAll { !$0.isOpen }
            return lines
        }
        for line in open { line.cut(cut) }
        return open.count
    }

    /// Cuts what is still to be lost as soon as something comes.
    package func finishCuts() {
        for line in lines.withLock({ $0 }) { line.finishCut() }
    }

    /// Cuts every connection, and each new one, until `mend`.
    package func block() {
        isBlocked.withLock { $0 = true }
        cut(.closed)
    }

    package func mend() { isBlocked.withLock { $0 = false } }

    private func pass(_ client: Int32, to target: UInt16) throws {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Relay.loopback(port: target)
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(server, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let line = Line(client: client, server: server)
        guard connected == 0, !isBlocked.withLock({ $0 }) else { return line.close() }
        lines.withLock { $0.append(line) }
        let number = sent.withLock { sent in
            sent.append([])
            return sent.count - 1
        }
        try LoopThread.start("relay out") { [self] in
            line.pump(.toServer) { bytes in sent.withLock { $0[number] += bytes } }
        }
        try LoopThread.start("relay in") { line.pump(.toClient) { _ in } }
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
