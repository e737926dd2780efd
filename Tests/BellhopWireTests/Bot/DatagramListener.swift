import BellhopTransport
import Glibc

@testable import BellhopTestServer

/// A socket as systemd opens one for its services, read on a thread of its own; its file goes with it.
final class DatagramListener: Sendable {
    private let descriptor: Int32
    private let path: String
    private let heard = Mailbox<String> { $0 }

    init(_ path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var local = sockaddr_un()
        local.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &local.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        let bound = unsafe withUnsafePointer(to: &local) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else { throw TransportError.system(call: "bind", code: errno) }
        let (socket, heard) = (self.descriptor, self.heard)
        try LoopThread.start("notify") {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = unsafe bytes.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, 0) }
                // Empty once the socket is shut down.
                guard count > 0 else { break }
                heard.post(String(decoding: bytes.prefix(count), as: UTF8.self))
            }
            close(socket)
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        unsafe unlink(path)
    }

    /// Takes the next datagram that begins like this, now or later; those before it are gone.
    func expect(_ start: String) async throws {
        try await heard.take("a datagram with \(start)", patience: .seconds(30)) { $0.hasPrefix(start) ? () : nil }
    }

    /// What nobody has asked for.
    var left: [String] { heard.left }
}
