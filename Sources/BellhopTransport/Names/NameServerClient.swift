/// Asks one name server, by UDP and, where an answer does not fit, by TCP (RFC 1035 section 4.2, RFC 7766); blocks.
struct NameServerClient: Sendable {
    let address: NumericAddress
    let port: UInt16
    /// How long each try waits for its answer.
    let waits: [Duration]

    /// The records that answer the question, none where there are none.
    func ask(_ question: NameQuestion, until deadline: Duration) throws(NameFault) -> [NameAnswer.Record] {
        var fault = NameFault.unanswered
        for wait in waits where MonotonicClock.now() < deadline {
            switch askByDatagram(question, until: min(deadline, MonotonicClock.now() + wait)) {
            case .records(let records): return records
            case .truncated: return try askByStream(question, until: deadline)
            case .failed(.unanswered), .foreign: fault = .unanswered
            case .failed(.unreachable(let reason)): fault = .unreachable(reason: reason)
            case .failed(let final): throw final
            }
        }
        throw fault
    }

    /// One try, from a port and with a number that nobody can guess.
    private func askByDatagram(_ question: NameQuestion, until deadline: Duration) -> NameAnswer {
        do throws(TransportError) {
            let socket = try UDPSocket(to: address, port: port)
            let id = UInt16.random(in: .min ... .max)
            try socket.send(question.message(id: id))
            while true {
                switch socket.receive(until: deadline) {
                case .nothing: return .failed(.unanswered)
                case .failed(let error): throw error
                case .datagram(let bytes):
                    let answer = NameAnswer(bytes, to: question, id: id)
                    // What answers another question may come from anybody; the right answer may still come.
                    if answer != .foreign { return answer }
                    if MonotonicClock.now() >= deadline { return .failed(.unanswered) }
                }
            }
        } catch {
            return .failed(.unreachable(reason: "\(error)"))
        }
    }

    private func askByStream(_ question: NameQuestion, until deadline: Duration) throws(NameFault) -> [NameAnswer
        .Record]
    {
        let id = UInt16.random(in: .min ... .max)
        let bytes: [UInt8]
        do throws(TransportError) {
            bytes = try exchangeByStream(question.message(id: id), until: deadline)
        } catch {
            throw error == .timedOut ? .unanswered : .unreachable(reason: "\(error)")
        }
        switch NameAnswer(bytes, to: question, id: id) {
        case .records(let records): return records
        case .failed(let fault): throw fault
        case .truncated, .foreign: throw .malformed
        }
    }

    /// Both messages have their length in front.
    private func exchangeByStream(_ message: [UInt8], until deadline: Duration) throws(TransportError) -> [UInt8] {
        let socket = try Dialer().connect(to: [address], port: port, until: deadline)
        let poller = Poller(wakeup: try Wakeup())
        let bytes = [UInt8(message.count >> 8 & 0xFF), UInt8(message.count & 0xFF)] + message
        // A new connection has room for so little.
        guard socket.write(bytes.span) == .bytes(bytes.count) else { throw .closed }
        var received: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while true {
            if received.count >= 2 {
                let length = Int(received[0]) << 8 | Int(received[1])
                if received.count >= 2 + length { return Array(received[2..<(2 + length)]) }
            }
            switch socket.read(into: &room) {
            case .bytes(let count): received += room.prefix(count)
            case .wouldBlock:
                let left = deadline - MonotonicClock.now()
                guard left > .zero else { throw .timedOut }
                _ = poller.wait(socket: socket, reading: true, writing: false, timeout: left)
            case .ended: throw .closed
            case .failed(let error): throw error
            }
        }
    }
}
