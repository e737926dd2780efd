import BellhopTransport
import Glibc
import Synchronization

/// Stands between a client and a server, remembers what the client sent, and cuts the line.
final class Relay: Sendable {
    let port: Int
    /// One list for each connection.
    private let sent = Mutex<[[UInt8]]>([])
    private let listener: Int32
    private let line = Mutex(Line())

    private struct Line {
        var isCut = false
        /// What is connected, either side.
        var descriptors: Set<Int32> = []
    }

    /// Cuts all connections without a word, and every new one, until `mend`.
    func cut() {
        line.withLock { line in
            line.isCut = true
            for descriptor in line.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    func mend() { line.withLock { $0.isCut = false } }

    /// Runs the body with a relay to the server.
    static func running<Result>(to server: RealServer, _ body: (Relay) async throws -> Result) async throws -> Result {
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
    var recordTypes: [[UInt8]] { sent.withLock { $0 }.map(Self.recordTypes(in:)) }

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

    private func pass(_ client: Int32, to target: UInt16) throws {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Relay.loopback(port: target)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(server, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // Each direction ends by itself; whichever ends last closes both.
        let left = OpenEnds(client, server) { [self] in line.withLock { $0.descriptors.subtract([client, server]) } }
        line.withLock { line in
            line.descriptors.formUnion([client, server])
            if line.isCut { for descriptor in [client, server] { shutdown(descriptor, Int32(SHUT_RDWR)) } }
        }
        let number = sent.withLock { sent in
            sent.append([])
            return sent.count - 1
        }
        try LoopThread.start("relay out") { [self] in
            Relay.pump(client, server) { bytes in sent.withLock { $0[number] += bytes } }
            left.oneEnded()
        }
        try LoopThread.start("relay in") {
            Relay.pump(server, client) { _ in }
            left.oneEnded()
        }
    }

    private final class OpenEnds: Sendable {
        private let descriptors: (Int32, Int32)
        private let count = Mutex(2)
        private let ended: @Sendable () -> Void

        init(_ a: Int32, _ b: Int32, _ ended: @escaping @Sendable () -> Void) {
            descriptors = (a, b)
            self.ended = ended
        }

        func oneEnded() {
            let isLast = count.withLock { count in
                count -= 1
                return count == 0
            }
            guard isLast else { return }
            // While they are known here their numbers are not used anew.
            ended()
            close(descriptors.0)
            close(descriptors.1)
        }
    }

    private static func pump(_ source: Int32, _ target: Int32, _ note: ([UInt8]) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(source, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { break }
            note(Array(buffer[..<count]))
            var start = 0
            while start < count {
                let written = unsafe buffer[start..<count].withUnsafeBytes {
                    unsafe send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { break }
                start += written
            }
        }
        shutdown(target, Int32(SHUT_WR))
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
