internal import Glibc

/// Where systemd hears of its services: a datagram socket by path, or by an abstract name behind an `@` (sd_notify(3)).
struct NotifySocket: Sendable {
    private let address: sockaddr_un
    private let length: socklen_t

    /// Nil for what is no address of that kind.
    init?(_ text: String) {
        var name = Array(text.utf8)
        guard let first = name.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"), name.count > 1 else {
            return nil
        }
        if first == UInt8(ascii: "@") { name[0] = 0 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? MemoryLayout<sa_family_t>.size
        let room = unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
            // A path ends with a zero, an abstract name with the length.
            guard name.count < path.count else { return false }
            unsafe path.copyBytes(from: name)
            return true
        }
        guard room else { return nil }
        self.address = address
        length = socklen_t(offset + name.count + (name[0] == 0 ? 0 : 1))
    }

    /// Sends one datagram; false when nobody took it. Never waits.
    @discardableResult
    func send(_ text: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = Array(text.utf8)
        var address = address
        let sent = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bytes.withUnsafeMutableBytes { bytes in
                    unsafe sendto(
                        descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL),
                        address, length)
                }
            }
        }
        return sent == bytes.count
    }
}

/// The number of this process.
enum SystemProcess {
    static var number: Int32 { getpid() }
}
