internal import CBellhopResolv
internal import Glibc
internal import Synchronization

/// Listens on 127.0.0.1, for servers in tests.
package final class Listener: Sendable {
    /// Where it listens, also when any free port was asked for.
    package let port: UInt16
    /// -1 after `close`.
    private let descriptor: Atomic<Int32>

    /// Listens on this port, or on a free one.
    package init(port: UInt16 = 0) throws(TransportError) {
        let listening = bellhop_listen(port)
        descriptor = Atomic(listening)
        guard listening >= 0 else { throw .system(call: "listen", code: errno) }
        self.port = UInt16(clamping: bellhop_port(listening))
    }

    deinit { close() }

    /// Refuses connections from now on; not while another thread is in `accept`.
    package func close() {
        let listening = descriptor.exchange(-1, ordering: .relaxed)
        if listening >= 0 { Glibc.close(listening) }
    }

    /// Waits for the next connection; nil when somebody rang.
    package func accept(until wakeup: Wakeup) -> Socket? {
        let listening = descriptor.load(ordering: .relaxed)
        while true {
            let connection = bellhop_accept(listening)
            if connection >= 0 {
                bellhop_tune(connection, 0)
                return Socket(descriptor: connection, address: "127.0.0.1", port: port)
            }
            var slots = [
                pollfd(fd: listening, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe slots.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, nfds_t($0.count), -1) }
            if slots[1].revents != 0 {
                wakeup.quiet()
                return nil
            }
        }
    }
}
