internal import BellhopXML
internal import BellhopXMPP

/// The way between a client and the simulated server: takes its time, stalls, and breaks off.
struct SimulatedLine: Sendable {
    let number: Int

    /// What the client did, and when it arrives.
    enum Input: Sendable {
        case event(StreamEvent)
        case secured
        case ended
    }

    /// What the server wrote, and when it leaves.
    enum Output: Sendable {
        case bytes([UInt8])
        case restart
        case startTLS
        case close
    }

    private struct Timed<Content: Sendable>: Sendable {
        var due: Duration
        var content: Content
    }

    private var inputs: [Timed<Input>] = []
    private var outputs: [Timed<Output>] = []
    private var isStalled = false
    /// When a stall ends by itself.
    private var stalledUntil: Duration?
    /// How many bytes may still leave; nil for all.
    var budget: Int?

    init(_ number: Int) { self.number = number }

    mutating func stall(until: Duration?) {
        isStalled = true
        stalledUntil = until
    }

    mutating func resume() {
        isStalled = false
        stalledUntil = nil
    }

    mutating func timePassed(_ now: Duration) {
        if let stalledUntil, stalledUntil <= now { resume() }
    }

    var nextDeadline: Duration? {
        if isStalled { return stalledUntil }
        guard let input = inputs.first?.due else { return outputs.first?.due }
        return outputs.first.map { min($0.due, input) } ?? input
    }

    /// Whether something of either side goes through by now.
    func hasArrivals(_ now: Duration) -> Bool {
        guard !isStalled else { return false }
        return inputs.first.map { $0.due <= now } ?? false || outputs.first.map { $0.due <= now } ?? false
    }

    mutating func put(_ input: Input, due: Duration) {
        inputs.append(Timed(due: max(due, inputs.last?.due ?? due), content: input))
    }

    mutating func put(_ output: Output, due: Duration) {
        outputs.append(Timed(due: max(due, outputs.last?.due ?? due), content: output))
    }

    /// The next thing that arrives at the server by now.
    mutating func takeInput(_ now: Duration) -> Input? {
        guard !isStalled, let first = inputs.first, first.due <= now else { return nil }
        return inputs.removeFirst().content
    }

    /// Everything that reaches the client by now, as actions, and whether the line breaks behind it.
    mutating func flush(_ now: Duration, into actions: inout [SimulatedHost.Action]) -> Bool {
        guard !isStalled else { return false }
        var bytes: [UInt8] = []
        var count = 0
        var ends = false
        loop: for output in outputs {
            guard output.due <= now else { break }
            count += 1
            switch output.content {
            case .bytes(let more):
                guard let budget else {
                    bytes += more
                    continue
                }
                bytes += more.prefix(budget)
                self.budget = budget - min(budget, more.count)
                if budget <= more.count {
                    ends = true
                    break loop
                }
            case .restart:
                actions.append(.write(number, bytes, restartsStream: true))
                bytes = []
            case .startTLS:
                actions.append(.startTLS(number, behind: bytes))
                bytes = []
            case .close:
                if !bytes.isEmpty { actions.append(.write(number, bytes, restartsStream: false)) }
                bytes = []
                actions.append(.close(number))
            }
        }
        outputs.removeFirst(count)
        if !bytes.isEmpty { actions.append(.write(number, bytes, restartsStream: false)) }
        return ends
    }
}
