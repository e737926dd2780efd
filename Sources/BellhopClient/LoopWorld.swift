internal import BellhopCrypto
internal import BellhopDiagnostics
package import BellhopTransport
package import BellhopXMPP

/// What an account's loop has of the world around it: clocks, a way to wait, a way to a server, and chance.
///
/// A value of closures, each called once a turn or less; a stage puts its own in their place, where an hour passes in seconds
/// and a seed decides what chance brings.
package struct LoopWorld: Sendable {
    /// The monotonic clock.
    package var now: @Sendable () -> Duration = { MonotonicClock.now() }
    /// The wall clock.
    package var clock: @Sendable () -> Timestamp = { Timestamp(milliseconds: WallClock.milliseconds()) }
    /// Returns when the socket or the loop's wake-up is ready, or so much time has passed; nil waits for ever.
    package var wait: @Sendable (Poller, Socket?, _ reading: Bool, _ writing: Bool, Duration?) -> Poller.Readiness = {
        $0.wait(socket: $1, reading: $2, writing: $3, timeout: $4)
    }
    /// Asks name servers where a domain serves clients until a moment of the monotonic clock, and answers once, on any thread.
    package var find: Find = { resolver, domain, deadline, answer throws(TransportError) in
        try LoopThread.start("find") { answer(resolver.services(of: domain, until: deadline)) }
    }
    /// Connects to a host until a moment of the monotonic clock, and answers once, on any thread.
    package var dial: Dial = { resolver, endpoint, deadline, answer throws(TransportError) in
        try LoopThread.start("dial") {
            let result: Result<Socket, TransportError>
            do throws(TransportError) {
                result = .success(try Dialer(resolver: resolver).connect(to: endpoint, until: deadline))
            } catch {
                result = .failure(error)
            }
            answer(result)
        }
    }
    /// Random bits for what need not be a secret: how long to wait before another attempt.
    package var chance: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
    /// So many bytes that nobody can guess: nonces and ids.
    package var secrets: @Sendable (Int) throws -> [UInt8] = { try SecureRandom.bytes($0) }
    /// Whether all handlers run on the loop's thread, those that are not quick as well, so that nothing goes on beside it.
    package var isSingleThreaded = false

    package typealias Find =
        @Sendable (
            Resolver, _ domain: String, _ deadline: Duration, _ answer: @escaping @Sendable (ServiceLookup) -> Void
        ) throws(TransportError) -> Void

    package typealias Dial =
        @Sendable (
            Resolver, Endpoint, _ deadline: Duration,
            _ answer: @escaping @Sendable (Result<Socket, TransportError>) -> Void
        ) throws(TransportError) -> Void

    /// The world as it is.
    package init() {}
}
