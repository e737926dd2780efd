import BellhopClient
import Glibc
import Synchronization

@testable import BellhopTransport

/// The bot's world in a row: its clock goes forward when the script says so, too, and what it takes off its socket is measured.
final class HostileWorld: Sendable {
    let clock = HeldClock()
    private let most = Mutex(0)

    func pass(_ duration: Duration) { clock.pass(duration) }

    /// The most that was read of one connection when a turn began.
    var taken: Int { most.withLock { $0 } }

    var loopWorld: LoopWorld {
        var world = clock.loopWorld
        world.wait = { [self] poller, socket, reading, writing, timeout in
            if let socket { measure(socket) }
            return poller.wait(socket: socket, reading: reading, writing: writing, timeout: timeout)
        }
        return world
    }

    /// What has come in less what still waits to be read. More may come between the two questions; then both are asked again.
    private func measure(_ socket: Socket) {
        var received = Self.received(socket)
        for _ in 0..<100 {
            var waiting: CInt = 0
            guard unsafe ioctl(socket.descriptor, UInt(FIONREAD), &waiting) == 0 else { return }
            let again = Self.received(socket)
            if again == received { return most.withLock { $0 = max($0, received - Int(waiting)) } }
            received = again
        }
    }

    /// All that the kernel has received for the socket: 64 bits at byte 128 of Linux's `tcp_info`, of which glibc declares the
    /// beginning only.
    private static func received(_ socket: Socket) -> Int {
        var info = [UInt64](repeating: 0, count: 32)
        var length = socklen_t(info.count * 8)
        let status = unsafe info.withUnsafeMutableBytes { bytes in
            unsafe getsockopt(socket.descriptor, CInt(IPPROTO_TCP), TCP_INFO, bytes.baseAddress, &length)
        }
        return status == 0 && length >= 136 ? Int(info[16]) : 0
    }
}
