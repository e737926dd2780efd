internal import BellhopCrypto
internal import BellhopTransport
internal import BellhopXML

/// One connection on its own thread: carries out orders, reads what comes, and posts it as facts.
struct ConnectionLoop: ~Copyable {
    /// What a script can ask for; carried out in order.
    enum Order: Sendable {
        /// Each segment is written by itself; a fresh parser reads what the client sends from then on, if asked for.
        case write([[UInt8]], restartsStream: Bool)
        /// Writes the bytes and takes the server's role in a TLS handshake.
        case secure([UInt8], TLSContext)
        /// Posts that all that was ordered before has been written.
        case report(Int)
        /// Writes so many bytes more, as they are on the wire, and lets go of the socket then.
        case limit(Int)
        /// Hands so many more packets to the kernel, and lets go of the socket then.
        case limitSegments(Int)
        /// Neither reads nor writes any more, and keeps the socket.
        case stall
        case resume
        /// Says goodbye in TLS and TCP.
        case close
        /// Lets go of the socket at once.
        case drop
    }

    private let socket: Socket
    private let poller: Poller
    private let orders: Inbox<Order>
    private let post: (ConnectionFact) -> Void

    private var parser = StreamParser()
    private var tls: TLSSession?
    private var isSecured = false
    private var output: [UInt8] = []
    private var hasEndedProperly = false
    private var isStalled = false
    private var isReading = true
    /// How many bytes may still be written.
    private var budget = Int.max
    private var segments = Int.max

    /// - Parameter tls: Plays the server's role in a handshake from the first byte on; nil for a stream in the clear.
    init(
        _ socket: Socket, wakeup: Wakeup, orders: Inbox<Order>, tls: TLSSession? = nil,
        post: @escaping (ConnectionFact) -> Void
    ) {
        self.socket = socket
        self.tls = tls
        poller = Poller(wakeup: wakeup)
        self.orders = orders
        self.post = post
    }

    /// Returns when the connection is over.
    mutating func run() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            for order in orders.take() {
                guard carryOut(order), budget > 0 else { return }
            }
            guard budget > 0 else { return }
            let reads = isReading && !isStalled
            let writes = !output.isEmpty && !isStalled
            // A socket that nobody wants anything of still reports that the peer has gone, again and again.
            let readiness = poller.wait(
                socket: reads || writes ? socket : nil, reading: reads, writing: writes, timeout: nil)
            if readiness.writable { flush() }
            guard readiness.readable, reads else { continue }
            switch socket.read(into: &buffer) {
            case .bytes(let count): received(Array(buffer[..<count]))
            case .wouldBlock: break
            case .ended, .failed: left()
            }
        }
    }

    /// Whether the connection goes on.
    private mutating func carryOut(_ order: Order) -> Bool {
        switch order {
        case .write(let segments, let restartsStream):
            if restartsStream { parser = StreamParser() }
            for segment in segments { write(segment) }
        case .secure(let proceed, let context):
            write(proceed)
            parser = StreamParser()
            do { tls = try TLSSession(server: context) } catch { post(.broke("TLS: \(error)")) }
        case .limit(let bytes): budget = bytes
        case .limitSegments(let count):
            segments = count
            return count > 0
        case .report(let number): post(.handedOver(number))
        case .stall: isStalled = true
        case .resume: isStalled = false
        case .close:
            tls?.close()
            tls?.takeOutput(into: &output)
            flush()
            socket.finishWriting()
        case .drop: return false
        }
        return true
    }

    private mutating func write(_ plain: [UInt8]) {
        if let tls {
            do { try tls.write(plain.span) } catch { post(.broke("TLS: \(error)")) }
            tls.takeOutput(into: &output)
        } else {
            output += plain
        }
        flush()
    }

    private mutating func flush() {
        guard !output.isEmpty, !isStalled else { return }
        switch socket.write(output.span.extracting(0..<min(output.count, budget))) {
        case .bytes(let count):
            output.removeFirst(count)
            budget -= count
            guard output.isEmpty else { return }
            segments -= 1
            if segments == 0 { budget = 0 }
        case .failed: output = []
        }
    }

    private mutating func received(_ bytes: [UInt8]) {
        guard let tls else { return parse(bytes) }
        tls.receive(bytes.span)
        if !isSecured {
            switch tls.step() {
            case .done:
                isSecured = true
                post(.secured(SecuredLine(tls)))
            case .needsBytes: break
            case .failed(let error): post(.broke("TLS: \(error)"))
            }
        }
        var plain: [UInt8] = []
        if isSecured {
            switch tls.read(into: &plain) {
            case .needsBytes: break
            case .closed: hasEndedProperly = true
            case .failed(let error): post(.broke("TLS: \(error)"))
            }
        }
        tls.takeOutput(into: &output)
        flush()
        parse(plain)
    }

    private func parse(_ bytes: [UInt8]) {
        var events: [StreamEvent] = []
        parser.feed(bytes.span, into: &events)
        for event in events {
            switch event {
            case .opened(let header): post(.opened(header))
            case .element(let stanza): post(.stanza(stanza))
            case .closed: post(.closedStream)
            case .failed(let fault): post(.broke("\(fault)"))
            }
        }
    }

    private mutating func left() {
        isReading = false
        post(.left(properly: tls == nil || hasEndedProperly))
    }
}
