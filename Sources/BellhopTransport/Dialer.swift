internal import CBellhopResolv
internal import Glibc

/// Connects to a host; blocks, so it belongs on a thread of its own.
///
/// Addresses are tried side by side, each a quarter of a second behind the one before or as soon as one has failed (in the
/// spirit of RFC 8305); the first that connects wins.
package struct Dialer: Sendable {
    /// How long one address may take.
    package var perAddress: Duration = .seconds(10)
    /// How far apart attempts start.
    package var stagger: Duration = .milliseconds(250)
    /// How long sent bytes may stay unacknowledged before the kernel gives the connection up.
    package var userTimeout: Duration = .seconds(60)
    /// Who knows the addresses of names.
    package var resolver: Resolver

    package init(resolver: Resolver = Resolver()) { self.resolver = resolver }

    /// Connects before `deadline` on the monotonic clock, or throws what was tried and why it failed.
    package func connect(to endpoint: Endpoint, until deadline: Duration) throws(TransportError) -> Socket {
        guard MonotonicClock.now() < deadline else { throw .unreachable([]) }
        let addresses = try resolver.addresses(of: endpoint.host, until: deadline)
        return try connect(to: addresses, port: endpoint.port, until: deadline)
    }

    func connect(
        to addresses: [NumericAddress], port: UInt16, until deadline: Duration
    ) throws(TransportError) -> Socket {
        var failures: [TransportError.Attempt] = []
        guard let socket = race(addresses, port: port, until: deadline, failures: &failures) else {
            throw .unreachable(failures)
        }
        return socket
    }

    private struct Attempt {
        var descriptor: Int32
        var index: Int
        var deadline: Duration
    }

    /// Starts one attempt after the other until one connects; every other descriptor is closed.
    private func race(
        _ list: [NumericAddress], port: UInt16, until deadline: Duration, failures: inout [TransportError.Attempt]
    ) -> Socket? {
        var running: [Attempt] = []
        defer { for attempt in running { close(attempt.descriptor) } }
        var next = 0
        var nextStart = MonotonicClock.now()
        while next < list.count || !running.isEmpty {
            let now = MonotonicClock.now()
            if now >= deadline {
                for attempt in running { note(list, attempt.index, port, nil, &failures) }
                return nil
            }
            if next < list.count, now >= nextStart || running.isEmpty {
                let (descriptor, code) = begin(list[next], port)
                if code == 0 || code == EINPROGRESS {
                    running.append(Attempt(descriptor: descriptor, index: next, deadline: now + perAddress))
                    nextStart = now + stagger
                } else {
                    if descriptor >= 0 { close(descriptor) }
                    note(list, next, port, code, &failures)
                }
                next += 1
                continue
            }
            var wake = min(deadline, running.map(\.deadline).min() ?? deadline)
            if next < list.count { wake = min(wake, nextStart) }
            let before = running.count
            if let winner = settle(&running, list, port, wake: wake - now, &failures) {
                bellhop_tune(winner.descriptor, UInt32(clamping: userTimeout.components.seconds * 1000))
                return Socket(descriptor: winner.descriptor, address: list[winner.index].description, port: port)
            }
            // Whoever has failed is not waited for any more.
            if running.count < before { nextStart = MonotonicClock.now() }
        }
        return nil
    }

    /// Begins to connect; the descriptor, and 0, EINPROGRESS or the errno of the failure.
    private func begin(_ address: NumericAddress, _ port: UInt16) -> (descriptor: Int32, code: Int32) {
        let descriptor = bellhop_stream_socket(address.isIPv6 ? AF_INET6 : AF_INET)
        guard descriptor >= 0 else { return (-1, errno) }
        return (descriptor, address.connect(descriptor, port: port) == 0 ? 0 : errno)
    }

    /// Waits until an attempt is decided; takes decided ones out and returns the one that connected.
    private func settle(
        _ running: inout [Attempt], _ list: [NumericAddress], _ port: UInt16, wake: Duration,
        _ failures: inout [TransportError.Attempt]
    ) -> Attempt? {
        var slots = running.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
        let milliseconds = Int32(
            clamping: max(1, wake.components.seconds * 1000 + wake.components.attoseconds / 1_000_000_000_000_000 + 1))
        _ = unsafe slots.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, nfds_t($0.count), milliseconds) }
        let now = MonotonicClock.now()
        var winner: Attempt?
        var left: [Attempt] = []
        for (attempt, slot) in zip(running, slots) {
            if winner == nil, slot.revents != 0 {
                let code = bellhop_socket_error(attempt.descriptor)
                if code == 0 {
                    winner = attempt
                    continue
                }
                note(list, attempt.index, port, code, &failures)
                close(attempt.descriptor)
            } else if now >= attempt.deadline {
                note(list, attempt.index, port, nil, &failures)
                close(attempt.descriptor)
            } else {
                left.append(attempt)
            }
        }
        running = left
        return winner
    }

    /// - Parameter code: The system's error number; nil when nobody answered in time.
    private func note(
        _ list: [NumericAddress], _ index: Int, _ port: UInt16, _ code: Int32?,
        _ failures: inout [TransportError.Attempt]
    ) {
        guard failures.count < 16 else { return }
        failures.append(
            .init(
                address: list[index].description, port: port,
                reason: code.map(TransportError.reason) ?? "no answer in time",
                isRefusal: code == ECONNREFUSED))
    }
}
