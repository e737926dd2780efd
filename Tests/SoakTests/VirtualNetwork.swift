import BellhopTestServer
import BellhopTransport
import BellhopXML

/// The connections between a bot and the simulated server: socket pairs, of which the server's ends are here.
struct VirtualNetwork {
    private(set) var host: SimulatedHost
    /// Whether nobody answers who dials, as with a cable that is out.
    var isUnreachable = false
    private var isRefusing = false
    private var wires: [Wire] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    private final class Wire {
        let number: Int
        let socket: Socket
        var parser = StreamParser()
        var unsent: [UInt8] = []
        var isReading = true
        /// Whether our half ends behind what is unsent.
        var isEnding = false

        init(_ number: Int, _ socket: Socket) {
            self.number = number
            self.socket = socket
        }
    }

    enum Dialled {
        case connected(Socket)
        case refused
        case unanswered
    }

    init(_ server: SimulatedServer, at moment: SimulatedMoment) { host = SimulatedHost(server, at: moment) }

    mutating func dial(at moment: SimulatedMoment) -> Dialled {
        if isUnreachable { return .unanswered }
        if isRefusing { return .refused }
        guard let (near, far) = try? Socket.pair(), let number = host.connected(at: moment) else { return .refused }
        wires.append(Wire(number, far))
        carryOut()
        return .connected(near)
    }

    /// Does something to the host, and what follows from it.
    mutating func host<Result>(_ body: (inout SimulatedHost) -> Result) -> Result {
        let result = body(&host)
        carryOut()
        return result
    }

    var nextDeadline: Duration? { host.nextDeadline }

    mutating func timePassed(at moment: SimulatedMoment) { host { $0.timePassed(at: moment) } }

    /// Moves what can be moved now; whether there was anything.
    mutating func move(at moment: SimulatedMoment) -> Bool {
        var hasMoved = false
        for wire in wires {
            if Self.send(wire) { hasMoved = true }
            if wire.isReading, receive(wire, at: moment) { hasMoved = true }
        }
        return hasMoved
    }

    private mutating func receive(_ wire: Wire, at moment: SimulatedMoment) -> Bool {
        switch wire.socket.read(into: &buffer) {
        case .wouldBlock: return false
        case .bytes(let count):
            var events: [StreamEvent] = []
            wire.parser.feed(buffer.span.extracting(0..<count), into: &events)
            for event in events { host { $0.received(event, from: wire.number, at: moment) } }
        case .ended, .failed:
            wire.isReading = false
            host { $0.disconnected(wire.number, at: moment) }
        }
        return true
    }

    private static func send(_ wire: Wire) -> Bool {
        guard !wire.unsent.isEmpty else { return false }
        let bytes = wire.unsent
        switch wire.socket.write(bytes.span) {
        case .bytes(0): return false
        case .bytes(let count): wire.unsent.removeFirst(count)
        case .failed: wire.unsent = []
        }
        if wire.unsent.isEmpty, wire.isEnding { wire.socket.finishWriting() }
        return true
    }

    private mutating func carryOut() {
        for action in host.takeActions() {
            switch action {
            case .write(let number, let bytes, let restartsStream):
                guard let wire = wires.first(where: { $0.number == number }) else { continue }
                if restartsStream { wire.parser = StreamParser() }
                wire.unsent += bytes
                _ = Self.send(wire)
            case .close(let number):
                guard let wire = wires.first(where: { $0.number == number }) else { continue }
                wire.isEnding = true
                if wire.unsent.isEmpty { wire.socket.finishWriting() }
            case .drop(let number): wires.removeAll { $0.number == number }
            case .refuse: isRefusing = true
            case .accept: isRefusing = false
            // No plan of the host's orders them here.
            case .startTLS, .kill: continue
            }
        }
    }
}
