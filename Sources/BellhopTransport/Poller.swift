internal import Glibc

/// Waits for a socket, for a wake-up or for a deadline, whichever comes first.
package struct Poller {
    private let wakeup: Wakeup

    package init(wakeup: Wakeup) { self.wakeup = wakeup }

    package struct Readiness: Equatable, Sendable {
        package var readable = false
        package var writable = false
        package var woken = false
    }

    /// Returns when something is ready or `timeout` is over; nil waits for ever.
    package func wait(socket: Socket?, reading: Bool, writing: Bool, timeout: Duration?) -> Readiness {
        var slots = (
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket?.descriptor ?? -1, events: 0, revents: 0)
        )
        if reading { slots.1.events |= Int16(POLLIN) }
        if writing { slots.1.events |= Int16(POLLOUT) }
        let ready = unsafe withUnsafeMutablePointer(to: &slots) { pair in
            unsafe pair.withMemoryRebound(to: pollfd.self, capacity: 2) { first in
                unsafe poll(first, 2, Self.milliseconds(timeout))
            }
        }
        var readiness = Readiness()
        guard ready > 0 else { return readiness }
        if slots.0.revents != 0 {
            readiness.woken = true
            wakeup.quiet()
        }
        let broken = Int16(POLLERR | POLLHUP | POLLNVAL)
        readiness.readable = slots.1.revents & (Int16(POLLIN) | broken) != 0
        readiness.writable = slots.1.revents & Int16(POLLOUT) != 0
        return readiness
    }

    /// Waits for a wake-up, or until the timeout is over; true at once when the other end of the connection has gone.
    package func wait(whileThere connection: LocalConnection, timeout: Duration) -> Bool {
        var slots = (
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            // Nothing is asked for: that it broke is said anyway.
            pollfd(fd: connection.descriptor, events: 0, revents: 0)
        )
        let ready = unsafe withUnsafeMutablePointer(to: &slots) { pair in
            unsafe pair.withMemoryRebound(to: pollfd.self, capacity: 2) { first in
                unsafe poll(first, 2, Self.milliseconds(timeout))
            }
        }
        guard ready > 0 else { return false }
        if slots.0.revents != 0 { wakeup.quiet() }
        return slots.1.revents != 0
    }

    /// Rounded up, so that a deadline is over when poll returns.
    static func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        let parts = timeout.components
        if parts.seconds < 0 || (parts.seconds == 0 && parts.attoseconds <= 0) { return 0 }
        if parts.seconds > 1_000_000 { return 1_000_000_000 }
        return Int32(parts.seconds * 1000 + (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
