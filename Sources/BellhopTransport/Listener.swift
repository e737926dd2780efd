internal import CBellhopResolv
internal import Glibc
internal import Synchronization

/// Listens on 127.0.0.1, for servers in tests.
package final class Listener: Sendable {
    /// Where it listens: a port that was free, and is nobody else's as long as this lives.
    package let port: UInt16
    /// Has the port and never listens, so that the port refuses connections and is not given away between `close` and `open`.
    private let holder: Int32
    /// -1 between `close` and `open`.
    private let descriptor: Atomic<Int32>

    /// Listens.
    package init() throws(TransportError) {
        holder = bellhop_hold_port(0)
        port = UInt16(clamping: bellhop_port(holder))
        descriptor = Atomic(-1)
        // From here on all is set, so `deinit` closes what a failure leaves.
        guard holder >= 0 else { throw .system(call: "bind", code: errno) }
        try open()
    }

    deinit {
        close()
        if holder >= 0 { Glibc.close(holder) }
    }

    /// Takes connections again after `close`.
    package func open() throws(TransportError) {
        let listening = bellhop_listen(port)
        guard listening >= 0 else { throw .system(call: "listen", code: errno) }
        let former = descriptor.exchange(listening, ordering: .relaxed)
        if former >= 0 { Glibc.close(former) }
    }

    /// Refuses connections from now on; not while another thread is in `accept`.
    package func close() {
        let listening = descriptor.exchange(-1, ordering: .relaxed)
        guard listening >= 0 else { return }
        // A program that is being started holds every open file until it runs, and would go on listening that long.
        shutdown(listening, Int32(SHUT_RDWR))
        Glibc.close(listening)
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
