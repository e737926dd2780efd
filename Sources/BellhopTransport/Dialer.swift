internal import CBellhopResolv
internal import Glibc

/// Finds a server and connects to it; blocks, so it belongs on a thread of its own.
///
/// Addresses of one host are tried side by side, each a quarter of a second behind the one before (in the spirit of
/// RFC 8305); the first that connects wins. Hosts of several SRV records are tried one after the other.
package struct Dialer: Sendable {
    /// How long one address may take.
    package var perAddress: Duration = .seconds(10)
    /// How far apart attempts start.
    package var stagger: Duration = .milliseconds(250)
    /// How long sent bytes may stay unacknowledged before the kernel gives the connection up.
    package var userTimeout: Duration = .seconds(60)

    package init() {}

    /// Where to look for the server.
    package enum Destination: Equatable, Sendable {
        case endpoint(Endpoint)
        /// The domain's `_xmpp-client` records, or the domain itself on the port when it has none (RFC 6120 section 3.2).
        /// An IP literal is taken as it is.
        case domain(String, port: UInt16)
    }

    /// Connects before `deadline` on the monotonic clock, or throws what was tried and why it failed.
    package func connect(to destination: Destination, until deadline: Duration) throws(TransportError) -> Socket {
        var failures: [TransportError.Attempt] = []
        for endpoint in try endpoints(of: destination) {
            if MonotonicClock.now() >= deadline { break }
            let list: AddressList
            do throws(TransportError) {
                list = try Resolver.addresses(of: endpoint)
            } catch {
                failures.append(.init(address: endpoint.host, port: endpoint.port, reason: "\(error)"))
                continue
            }
            if let socket = race(list, port: endpoint.port, until: deadline, failures: &failures) { return socket }
        }
        throw .unreachable(failures)
    }

    private func endpoints(of destination: Destination) throws(TransportError) -> [Endpoint] {
        switch destination {
        case .endpoint(let endpoint): return [endpoint]
        case .domain(let domain, let port):
            let fallback = Endpoint(host: domain.trimmingBrackets, port: port)
            if fallback.isLoopback || Endpoint.isAddress(domain) { return [fallback] }
            let records: [ServiceRecord]
            do throws(TransportError) {
                records = try Resolver.records(service: "xmpp-client", domain: domain)
            } catch {
                // Without a name server an address in /etc/hosts may still do.
                return [fallback]
            }
            switch ServiceRecord.order(records, draw: { UInt32.random(in: 0...$0) }) {
            case .none: return [fallback]
            case .notOffered: throw .serviceNotOffered(domain: domain)
            case .targets(let targets): return targets
            }
        }
    }

    private struct Attempt {
        var descriptor: Int32
        var index: Int
        var deadline: Duration
    }

    /// Starts one attempt after the other until one connects; every other descriptor is closed.
    private func race(
        _ list: AddressList, port: UInt16, until deadline: Duration, failures: inout [TransportError.Attempt]
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
                let (descriptor, code) = list.beginConnecting(next)
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
            if let winner = settle(&running, list, port, wake: wake - now, &failures) {
                bellhop_tune(winner.descriptor, UInt32(clamping: userTimeout.components.seconds * 1000))
                return Socket(descriptor: winner.descriptor, address: list.text(winner.index), port: port)
            }
        }
        return nil
    }

    /// Waits until an attempt is decided; takes decided ones out and returns the one that connected.
    private func settle(
        _ running: inout [Attempt], _ list: AddressList, _ port: UInt16, wake: Duration,
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
        _ list: AddressList, _ index: Int, _ port: UInt16, _ code: Int32?, _ failures: inout [TransportError.Attempt]
    ) {
        guard failures.count < 16 else { return }
        failures.append(
            .init(
                address: list.text(index), port: port, reason: code.map(TransportError.reason) ?? "no answer in time",
                isRefusal: code == ECONNREFUSED))
    }
}

extension String {
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
