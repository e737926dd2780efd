internal import CBellhopResolv
internal import Glibc

/// A socket for single datagrams; closed when the last reference goes.
package final class UDPSocket: Sendable {
    private let descriptor: Int32
    /// The port on 127.0.0.1, where it waits for questions; 0 where it asks.
    package let port: UInt16
    private static let mostBytes = 65_536

    /// One that talks to a single peer, from a port that nobody can guess.
    init(to address: NumericAddress, port: UInt16) throws(TransportError) {
        descriptor = bellhop_datagram_socket(address.isIPv6 ? AF_INET6 : AF_INET)
        self.port = 0
        guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
        guard address.connect(descriptor, port: port) == 0 else { throw .system(call: "connect", code: errno) }
    }

    /// One that waits on 127.0.0.1, for name servers in tests.
    package init(onPort port: UInt16) throws(TransportError) {
        self.port = port
        descriptor = bellhop_bind_datagrams(port)
        guard descriptor >= 0 else { throw .system(call: "bind", code: errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    enum Arrival: Equatable {
        case datagram([UInt8])
        case nothing
        case failed(TransportError)
    }

    func send(_ bytes: [UInt8]) throws(TransportError) {
        guard unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw .system(call: "send", code: errno)
        }
    }

    /// The next datagram of the peer, if it comes before a moment of the monotonic clock.
    func receive(until deadline: Duration) -> Arrival {
        var room = [UInt8](repeating: 0, count: Self.mostBytes)
        while true {
            let count = unsafe recv(descriptor, &room, room.count, 0)
            if count >= 0 { return .datagram(Array(room.prefix(count))) }
            guard errno == EAGAIN || errno == EINTR else { return .failed(.system(call: "recv", code: errno)) }
            let left = deadline - MonotonicClock.now()
            guard left > .zero else { return .nothing }
            var slot = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&slot, 1, Poller.milliseconds(left))
        }
    }

    /// The next datagram and the port on 127.0.0.1 that it came from; nil when somebody rang.
    package func receive(until wakeup: Wakeup) -> (bytes: [UInt8], port: UInt16)? {
        var room = [UInt8](repeating: 0, count: Self.mostBytes)
        while true {
            var sender: UInt16 = 0
            let count = unsafe bellhop_receive_datagram(descriptor, &room, room.count, &sender)
            if count >= 0 { return (Array(room.prefix(count)), sender) }
            var slots = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&slots, nfds_t(slots.count), -1)
            if slots[1].revents != 0 {
                wakeup.quiet()
                return nil
            }
        }
    }

    package func send(_ bytes: [UInt8], toPort port: UInt16) {
        _ = unsafe bellhop_send_datagram(descriptor, bytes, bytes.count, port)
    }
}
