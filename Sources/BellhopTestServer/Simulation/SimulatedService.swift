package import BellhopCrypto
internal import BellhopDiagnostics
internal import BellhopTransport
internal import BellhopXML
internal import BellhopXMPP
internal import Synchronization

/// A simulated server behind sockets on 127.0.0.1: one thread that listens, one that watches the clock, one a connection.
///
/// All of them share one model under one lock, and what it says is carried out before the lock is let go, so that each
/// connection sees the effects in their order.
package final class SimulatedService: Sendable {
    /// Stays the same when connections are refused and taken again.
    package let port: UInt16
    private let tls: TLSContext?
    private let patience: Duration

    private struct Client: Sendable {
        var orders: Inbox<ConnectionLoop.Order>
    }

    private struct Watch: Sendable {
        var number: Int
        /// Takes what it waits for, and resumes the one who waits.
        var accept: @Sendable (SimulatedHost) -> Bool
        var fail: @Sendable (TestServerFailure.Reason) -> Void
    }

    private struct State: Sendable {
        var host: SimulatedHost
        var clients: [Int: Client] = [:]
        var watches: [Watch] = []
        var lastWatch = 0
        /// Waits that were given up before they had begun.
        var givenUp: [Int: TestServerFailure.Reason] = [:]
        var isRefusing = false
        var hasEnded = false
        /// Threads that are at work.
        var threads = 0
        var whenDone: CheckedContinuation<Void, Never>?
        /// Why no wait can end well at present.
        var obstacle: String?
        var onKill: (@Sendable (KillPoint) -> Void)?
    }

    private let state: Mutex<State>
    /// Wakes the thread that listens.
    private let doorbell: Wakeup
    /// Wakes the thread that watches the clock.
    private let alarm: Wakeup

    private init(
        _ server: SimulatedServer, plan: FaultPlan, tls: TLSContext?, patience: Duration, port: UInt16
    ) throws {
        self.port = port
        self.tls = tls
        self.patience = patience
        doorbell = try Wakeup()
        alarm = try Wakeup()
        state = Mutex(State(host: SimulatedHost(server, plan: plan, at: Self.moment)))
    }

    /// Serves for as long as the body runs; afterwards no thread and no socket of it is left.
    ///
    /// `patience` is how long a wait for a fact may take.
    package static func running<Result>(
        _ server: SimulatedServer, plan: FaultPlan = .none, tls: TLSContext? = nil,
        patience: Duration = .seconds(30), _ body: (SimulatedService) async throws -> Result
    ) async throws -> Result {
        let listener = try Listener()
        let service = try SimulatedService(server, plan: plan, tls: tls, patience: patience, port: listener.port)
        do {
            try service.start(listener)
            let result = try await body(service)
            await service.finish()
            return result
        } catch {
            await service.finish()
            throw error
        }
    }

    private static var moment: SimulatedMoment {
        SimulatedMoment(
            now: MonotonicClock.now(), clock: Timestamp(milliseconds: WallClock.milliseconds()))
    }

    // MARK: from outside

    /// Looks at the model, or changes it; what follows from that is done before this returns.
    @discardableResult
    package func host<Result: Sendable>(
        _ body: @Sendable (inout SimulatedHost, SimulatedMoment) -> Result
    ) -> Result {
        state.withLock { state in
            let result = body(&state.host, Self.moment)
            carryOut(&state)
            return result
        }
    }

    /// Who is told when the plan kills the bot; called under the lock, so it must not come back here.
    package func onKill(_ kill: @escaping @Sendable (KillPoint) -> Void) {
        state.withLock { state in
            state.onKill = kill
            carryOut(&state)
        }
    }

    /// Waits until the model gives this; `wanted` says what in the failure, and `instead` what there was.
    package func wait<Value: Sendable>(
        for wanted: String, instead: @Sendable (SimulatedHost) -> [String] = { _ in [] },
        _ pick: @escaping @Sendable (SimulatedHost) -> Value?
    ) async throws -> Value {
        let number = state.withLock { state in
            state.lastWatch += 1
            return state.lastWatch
        }
        let timer = Task { [patience] in
            do {
                try await Task.sleep(for: patience)
                fail(number, .impatient(patience))
            } catch {
                return
            }
        }
        let outcome: Result<Value, TestServerFailure.Refusal> = await withTaskCancellationHandler {
            await withCheckedContinuation { watch(number, $0, pick) }
        } onCancel: {
            fail(number, .cancelled)
        }
        timer.cancel()
        state.withLock { _ = $0.givenUp.removeValue(forKey: number) }
        switch outcome {
        case .success(let value): return value
        case .failure(let refusal):
            throw TestServerFailure(
                wanted: wanted, reason: refusal.reason, instead: state.withLock { instead($0.host) })
        }
    }

    /// Ends all waits with this reason, and those that follow, until it is nil again.
    package func obstruct(_ obstacle: String?) {
        let watches = state.withLock { state -> [Watch] in
            state.obstacle = obstacle
            guard obstacle != nil else { return [] }
            defer { state.watches = [] }
            return state.watches
        }
        for watch in watches { watch.fail(.ended(obstacle ?? "")) }
    }

    private func watch<Value: Sendable>(
        _ number: Int, _ continuation: CheckedContinuation<Result<Value, TestServerFailure.Refusal>, Never>,
        _ pick: @escaping @Sendable (SimulatedHost) -> Value?
    ) {
        let outcome: Result<Value, TestServerFailure.Refusal>? = state.withLock { state in
            if let value = pick(state.host) { return .success(value) }
            if let reason = state.givenUp[number] { return .failure(.init(reason: reason)) }
            if let obstacle = state.obstacle { return .failure(.init(reason: .ended(obstacle))) }
            if state.hasEnded { return .failure(.init(reason: .ended("the server has ended"))) }
            state.watches.append(
                Watch(
                    number: number,
                    accept: { host in
                        guard let value = pick(host) else { return false }
                        continuation.resume(returning: .success(value))
                        return true
                    }, fail: { continuation.resume(returning: .failure(.init(reason: $0))) }))
            return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    private func fail(_ number: Int, _ reason: TestServerFailure.Reason) {
        let watch = state.withLock { state -> Watch? in
            guard let index = state.watches.firstIndex(where: { $0.number == number }) else {
                state.givenUp[number] = reason
                return nil
            }
            return state.watches.remove(at: index)
        }
        watch?.fail(reason)
    }

    // MARK: under the lock

    private func carryOut(_ state: inout State) {
        for action in state.host.takeActions() {
            switch action {
            case .write(let number, let bytes, let restarts):
                state.clients[number]?.orders.post(.write([bytes], restartsStream: restarts))
            case .startTLS(let number, let proceed):
                guard let tls else { continue }
                state.clients[number]?.orders.post(.secure(proceed, tls))
            case .close(let number): state.clients[number]?.orders.post(.close)
            case .drop(let number): state.clients.removeValue(forKey: number)?.orders.post(.drop)
            case .refuse:
                state.isRefusing = true
                doorbell.ring()
            case .accept:
                state.isRefusing = false
                doorbell.ring()
            case .kill(let point): state.onKill?(point)
            }
        }
        state.watches.removeAll { $0.accept(state.host) }
        alarm.ring()
    }

    // MARK: threads

    private func start(_ listener: Listener) throws {
        try begin("sim-listener") { [self] in listen(listener) }
        try begin("sim-clock") { [self] in watchClock() }
    }

    private func begin(_ name: String, _ body: @escaping @Sendable () -> Void) throws(TransportError) {
        state.withLock { $0.threads += 1 }
        do throws(TransportError) {
            try LoopThread.start(name) { [self] in
                body()
                ended()
            }
        } catch {
            ended()
            throw error
        }
    }

    private func ended() {
        let waiting = state.withLock { state in
            state.threads -= 1
            guard state.threads == 0 else { return CheckedContinuation<Void, Never>?.none }
            defer { state.whenDone = nil }
            return state.whenDone
        }
        waiting?.resume()
    }

    private func listen(_ listener: Listener) {
        var isOpen = true
        while true {
            let (isRefusing, hasEnded) = state.withLock { ($0.isRefusing, $0.hasEnded) }
            if hasEnded { break }
            if isRefusing {
                listener.close()
                isOpen = false
                _ = Poller(wakeup: doorbell).wait(socket: nil, reading: false, writing: false, timeout: nil)
                continue
            }
            if !isOpen { isOpen = (try? listener.open()) != nil }
            guard isOpen else {
                // Out of descriptors, say; in a moment there may be some.
                _ = Poller(wakeup: doorbell)
                    .wait(socket: nil, reading: false, writing: false, timeout: .milliseconds(10))
                continue
            }
            if let socket = listener.accept(until: doorbell) { accepted(socket) }
        }
        listener.close()
    }

    private func accepted(_ socket: Socket) {
        guard let wakeup = try? Wakeup() else { return }
        let orders = Inbox<ConnectionLoop.Order>(wakeup: wakeup)
        let number = state.withLock { state -> Int? in
            guard !state.hasEnded, let number = state.host.connected(at: Self.moment) else { return nil }
            state.clients[number] = Client(orders: orders)
            carryOut(&state)
            return number
        }
        guard let number else { return }
        do throws(TransportError) {
            try begin("sim-conn-\(number)") { [self] in
                var loop = ConnectionLoop(socket, wakeup: wakeup, orders: orders) { [self] in happened($0, number) }
                loop.run()
            }
        } catch {
            happened(.left(properly: false), number)
        }
    }

    private func happened(_ fact: ConnectionFact, _ number: Int) {
        state.withLock { state in
            let moment = Self.moment
            switch fact {
            case .opened(let header): state.host.received(.opened(header), from: number, at: moment)
            case .stanza(let stanza): state.host.received(.element(stanza), from: number, at: moment)
            case .closedStream: state.host.received(.closed, from: number, at: moment)
            case .secured: state.host.secured(number, at: moment)
            case .broke(let reason):
                state.host.received(
                    .failed(.notWellFormed(line: 0, reason: reason)), from: number, at: moment)
            case .left: state.host.disconnected(number, at: moment)
            case .handedOver: break
            }
            carryOut(&state)
        }
    }

    private func watchClock() {
        let poller = Poller(wakeup: alarm)
        while true {
            let (deadline, hasEnded) = state.withLock { ($0.host.nextDeadline, $0.hasEnded) }
            if hasEnded { return }
            let now = MonotonicClock.now()
            let timeout = deadline.map { max(.zero, $0 - now) }
            if timeout != .zero {
                let readiness = poller.wait(socket: nil, reading: false, writing: false, timeout: timeout)
                if readiness.woken { continue }
            }
            state.withLock { state in
                state.host.timePassed(at: Self.moment)
                carryOut(&state)
            }
        }
    }

    private func finish() async {
        let watches = state.withLock { state in
            state.hasEnded = true
            for client in state.clients.values { client.orders.post(.drop) }
            state.clients = [:]
            defer { state.watches = [] }
            return state.watches
        }
        for watch in watches { watch.fail(.ended("the server has ended")) }
        doorbell.ring()
        alarm.ring()
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.threads == 0 { return true }
                state.whenDone = continuation
                return false
            }
            if isDone { continuation.resume() }
        }
    }
}
