package import BellhopXML
internal import BellhopXMPP

/// A simulated server with the network before it, where the faults are: stream events of connections in, bytes out.
///
/// Pure, like the server itself. Whoever drives it has the sockets, or none, and the clock.
package struct SimulatedHost: Sendable {
    /// What the driver is to do, in order.
    package enum Action: Equatable, Sendable {
        /// Hand the bytes to the client; behind them it may begin a new stream.
        case write(Int, [UInt8], restartsStream: Bool)
        /// The same, and then take the server's part in a TLS handshake.
        case startTLS(Int, behind: [UInt8])
        /// End TLS and TCP properly.
        case close(Int)
        /// Let go of the connection without a word.
        case drop(Int)
        /// Take no connection until `accept`.
        case refuse
        case accept
        /// Kill the bot while it handles the next message.
        case kill(KillPoint)
    }

    package var server: SimulatedServer
    /// How many stanzas have passed, both directions.
    package private(set) var stanzaCount = 0
    /// The faults of the plan that have come, in order.
    package private(set) var inflicted: [FaultPlan.Step] = []

    private var plan: ArraySlice<FaultPlan.Step>
    /// In the order in which they connected.
    private var lines: [SimulatedLine] = []
    private var actions: [Action] = []
    private var lastConnection = 0
    /// Connections that broke while effects were handed out; the server is told behind them.
    private var broken: [Int] = []
    private var latency: Duration = .zero
    private var isFrozen = false
    private var frozenUntil: Duration?
    private var isRefusing = false
    private var refusingUntil: Duration?
    /// What a truncation leaves of the next connection.
    private var nextBudget: Int?

    package init(_ server: SimulatedServer, plan: FaultPlan = .none, at moment: SimulatedMoment) {
        self.server = server
        self.plan = plan.steps[...]
        followPlan(moment)
    }

    /// What is to be done since this was asked last.
    package mutating func takeActions() -> [Action] {
        guard !actions.isEmpty else { return [] }
        defer { actions.removeAll() }
        return actions
    }

    // MARK: inputs

    /// Somebody connects; the connection's number, or nil where it is refused.
    package mutating func connected(at moment: SimulatedMoment) -> Int? {
        guard !isRefusing else { return nil }
        lastConnection += 1
        var line = SimulatedLine(lastConnection)
        if isFrozen { line.stall(until: frozenUntil) }
        line.budget = nextBudget
        nextBudget = nil
        lines.append(line)
        server.connected(lastConnection, at: moment)
        settle(moment)
        return lastConnection
    }

    package mutating func received(_ event: StreamEvent, from connection: Int, at moment: SimulatedMoment) {
        put(.event(event), from: connection, at: moment)
    }

    /// The TLS handshake is done.
    package mutating func secured(_ connection: Int, at moment: SimulatedMoment) {
        put(.secured, from: connection, at: moment)
    }

    /// The client has let go of the connection.
    package mutating func disconnected(_ connection: Int, at moment: SimulatedMoment) {
        put(.ended, from: connection, at: moment)
    }

    private mutating func put(_ input: SimulatedLine.Input, from connection: Int, at moment: SimulatedMoment) {
        guard let place = lines.firstIndex(where: { $0.number == connection }) else { return }
        lines[place].put(input, due: moment.now + latency)
        settle(moment)
    }

    /// Lets the server do something that is not an answer to a client.
    package mutating func order<Result>(
        at moment: SimulatedMoment, _ order: (inout SimulatedServer) -> Result
    ) -> Result {
        let result = order(&server)
        settle(moment)
        return result
    }

    // MARK: time

    /// When something happens by itself; nil while nothing is pending.
    package var nextDeadline: Duration? {
        var first = server.nextDeadline
        for deadline in [frozenUntil, refusingUntil] + lines.map(\.nextDeadline) {
            guard let deadline else { continue }
            first = first.map { min($0, deadline) } ?? deadline
        }
        return first
    }

    package mutating func timePassed(at moment: SimulatedMoment) {
        if let frozenUntil, frozenUntil <= moment.now { thaw() }
        if let refusingUntil, refusingUntil <= moment.now { accept() }
        server.timePassed(at: moment)
        settle(moment)
    }

    // MARK: faults

    package mutating func inflict(_ fault: Fault, at moment: SimulatedMoment) {
        apply(fault, moment)
        settle(moment)
    }

    /// Ends every stall, the frost and the refusal of connections.
    package mutating func resume(at moment: SimulatedMoment) {
        thaw()
        accept()
        for place in lines.indices { lines[place].resume() }
        settle(moment)
    }

    private mutating func apply(_ fault: Fault, _ moment: SimulatedMoment) {
        // What was written before the fault is on its way.
        flush(moment)
        switch fault {
        case .cut: for line in lines { breakOff(line.number) }
        case .close: for line in lines { server.close(line.number, at: moment) }
        case .stall(let duration):
            for place in lines.indices { lines[place].stall(until: duration.map { moment.now + $0 }) }
        case .delay(let duration): latency = max(.zero, duration)
        case .duplicate: server.duplicateNext()
        case .reorder(let count): server.reorderNext(count)
        case .truncate(let bytes):
            if lines.isEmpty { nextBudget = max(0, bytes) }
            for place in lines.indices { lines[place].budget = max(0, bytes) }
        case .freeze(let duration):
            isFrozen = true
            frozenUntil = duration.map { moment.now + $0 }
            for place in lines.indices { lines[place].stall(until: frozenUntil) }
        case .miscount(let miscount): server.lie(miscount)
        case .refuse(let duration):
            if !isRefusing { actions.append(.refuse) }
            isRefusing = true
            refusingUntil = duration.map { moment.now + $0 }
        case .restart:
            for line in lines { actions.append(.drop(line.number)) }
            lines = []
            server.restart(at: moment)
        case .kill(let point): actions.append(.kill(point))
        }
    }

    private mutating func thaw() {
        isFrozen = false
        frozenUntil = nil
    }

    private mutating func accept() {
        if isRefusing { actions.append(.accept) }
        isRefusing = false
        refusingUntil = nil
    }

    private mutating func breakOff(_ connection: Int) {
        guard let place = lines.firstIndex(where: { $0.number == connection }) else { return }
        lines.remove(at: place)
        actions.append(.drop(connection))
        broken.append(connection)
    }

    // MARK: the way through

    /// Carries everything as far as it goes at this moment.
    private mutating func settle(_ moment: SimulatedMoment) {
        for place in lines.indices { lines[place].timePassed(moment.now) }
        repeat {
            deliver(moment)
            for effect in server.takeEffects() { carry(effect, moment) }
            flush(moment)
            let gone = broken
            broken = []
            for connection in gone { server.disconnected(connection, at: moment) }
        } while hasWork(moment)
    }

    private func hasWork(_ moment: SimulatedMoment) -> Bool {
        !broken.isEmpty || server.hasEffects
            || lines.contains { $0.hasArrivals(moment.now) }
    }

    /// Hands what has arrived to the server.
    private mutating func deliver(_ moment: SimulatedMoment) {
        for number in lines.map(\.number) {
            while let place = lines.firstIndex(where: { $0.number == number }),
                let input = lines[place].takeInput(moment.now)
            {
                switch input {
                case .event(let event):
                    server.received(event, on: number, at: moment)
                    if case .element(let element) = event { count(element, moment) }
                case .secured: server.secured(number, at: moment)
                case .ended:
                    lines.remove(at: place)
                    actions.append(.drop(number))
                    server.disconnected(number, at: moment)
                }
            }
        }
    }

    private mutating func carry(_ effect: SimulatedServer.Effect, _ moment: SimulatedMoment) {
        switch effect {
        case .open(let connection, let id):
            var writer = XMLWriter(stream: Namespace.client)
            writer.streamStart(["from": server.options.domain, "id": id, "version": "1.0", "xml:lang": "en"])
            put(.bytes(writer.takeBytes()), to: connection, moment)
        case .write(let connection, let element):
            var writer = XMLWriter(stream: Namespace.client)
            writer.write(element)
            put(.bytes(writer.takeBytes()), to: connection, moment)
            count(element, moment)
        case .restart(let connection): put(.restart, to: connection, moment)
        case .startTLS(let connection): put(.startTLS, to: connection, moment)
        case .close(let connection):
            var writer = XMLWriter(stream: Namespace.client)
            writer.streamEnd()
            put(.bytes(writer.takeBytes()), to: connection, moment)
            put(.close, to: connection, moment)
        case .drop(let connection):
            guard let place = lines.firstIndex(where: { $0.number == connection }) else { return }
            lines.remove(at: place)
            actions.append(.drop(connection))
        }
    }

    private mutating func put(_ output: SimulatedLine.Output, to connection: Int, _ moment: SimulatedMoment) {
        guard let place = lines.firstIndex(where: { $0.number == connection }) else { return }
        lines[place].put(output, due: moment.now + latency)
    }

    private mutating func flush(_ moment: SimulatedMoment) {
        var ended: [Int] = []
        for place in lines.indices where lines[place].flush(moment.now, into: &actions) {
            ended.append(lines[place].number)
        }
        for connection in ended { breakOff(connection) }
    }

    // MARK: the plan

    private mutating func count(_ element: Element, _ moment: SimulatedMoment) {
        guard element.namespace == Namespace.client else { return }
        stanzaCount += 1
        followPlan(moment)
    }

    private mutating func followPlan(_ moment: SimulatedMoment) {
        while let step = plan.first, step.stanza <= stanzaCount {
            plan.removeFirst()
            inflicted.append(step)
            apply(step.fault, moment)
        }
    }
}
