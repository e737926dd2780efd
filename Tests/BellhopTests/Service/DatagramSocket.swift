import Glibc

/// A socket as systemd opens one for its services; its file goes with it.
final class DatagramSocket {
    private let descriptor: Int32
    private let path: String

    /// Binds to a path, or to an abstract name behind an `@`.
    init(_ address: String) throws {
        path = address
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var name = Array(address.utf8)
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        var local = sockaddr_un()
        local.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &local.sun_path) { unsafe $0.copyBytes(from: name) }
        let length = socklen_t(2 + name.count + (name[0] == 0 ? 0 : 1))
        let bound = unsafe withUnsafePointer(to: &local) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
        }
        guard bound == 0 else { throw Failure(code: errno) }
    }

    deinit {
        close(descriptor)
        if path.hasPrefix("/") { unsafe unlink(path) }
    }

    struct Failure: Error { var code: Int32 }

    /// The next datagram, which must be there already: sending one to a socket of this machine hands it over at once.
    func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
        }
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
