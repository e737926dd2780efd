internal import CBellhopResolv
internal import Glibc

/// Lets any thread wake the one that waits in `Poller`; an eventfd.
package final class Wakeup: Sendable {
    let descriptor: Int32

    /// Throws when the process has no descriptor left.
    package init() throws(TransportError) {
        descriptor = bellhop_eventfd()
        guard descriptor >= 0 else { throw .system(call: "eventfd", code: errno) }
    }

    deinit { close(descriptor) }

    package func ring() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, 8)
    }

    func quiet() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, 8)
    }
}
