import BellhopCrypto
import BellhopTransport
import BellhopXML

/// A client without an engine: bytes and elements, nothing else. It blocks, so it runs on a thread of its own.
final class RawClient {
    enum Failure: Error { case ended, impatient, broke(String) }

    private let socket: Socket
    private let poller: Poller
    private var tls: TLSSession?
    private var parser = StreamParser()
    private var events: [StreamEvent] = []
    /// Every read as it came, decrypted.
    private(set) var reads: [[UInt8]] = []
    private(set) var hasEnded = false

    private init(port: UInt16) throws {
        poller = Poller(wakeup: try Wakeup())
        socket = try Dialer().connect(
            to: Endpoint(host: "127.0.0.1", port: port), until: MonotonicClock.now() + .seconds(30))
    }

    /// Connects and plays this script on a thread of its own.
    static func connected<Value: Sendable>(
        to port: UInt16, _ script: @escaping @Sendable (RawClient) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try LoopThread.start("raw-client") {
                    continuation.resume(with: Result { try script(RawClient(port: port)) })
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    func send(_ xml: String) throws {
        let bytes = Array(xml.utf8)
        guard let tls else { return try write(bytes) }
        try tls.write(bytes.span)
        try flushTLS(tls)
    }

    /// Begins a stream, the first one or a fresh one.
    func openStream(to domain: String = "bots.example.test") throws {
        parser = StreamParser()
        try send(
            "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
                + "to='\(domain)' version='1.0'>")
        guard case .opened = try next() else { throw Failure.broke("no stream header") }
        _ = try element()
    }

    func startTLS(_ context: TLSContext) throws {
        try send("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
        guard try element().name == "proceed" else { throw Failure.broke("no proceed") }
        let session = try TLSSession(client: context, name: .dns("bots.example.test"))
        tls = session
        while true {
            let step = session.step()
            try flushTLS(session)
            switch step {
            case .done: return
            case .failed(let error): throw error
            case .needsBytes:
                let bytes = try read()
                session.receive(bytes.span)
            }
        }
    }

    /// The next first-level element.
    func element() throws -> Element {
        while true {
            if case .element(let element) = try next() { return element }
        }
    }

    /// Reads until the server's side ends; throws when an element comes.
    func expectEnd() throws {
        do {
            while true {
                if case .element(let element) = try next() { throw Failure.broke(element.serialized()) }
            }
        } catch Failure.ended {
            return
        }
    }

    func close() {
        if let tls {
            tls.close()
            try? flushTLS(tls)
        }
        socket.finishWriting()
    }

    private func next() throws -> StreamEvent {
        while events.isEmpty {
            var plain = try read()
            if let tls {
                tls.receive(plain.span)
                plain = []
                switch tls.read(into: &plain) {
                case .needsBytes, .closed: break
                case .failed(let error): throw error
                }
                try flushTLS(tls)
            }
            reads.append(plain)
            parser.feed(plain.span, into: &events)
        }
        let event = events.removeFirst()
        if case .failed(let fault) = event { throw fault }
        return event
    }

    private func read() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            switch socket.read(into: &buffer) {
            case .bytes(let count): return Array(buffer[..<count])
            case .ended:
                hasEnded = true
                throw Failure.ended
            case .failed(let error): throw error
            case .wouldBlock:
                guard poller.wait(socket: socket, reading: true, writing: false, timeout: .seconds(30)).readable else {
                    throw Failure.impatient
                }
            }
        }
    }

    private func flushTLS(_ tls: TLSSession) throws {
        var output: [UInt8] = []
        tls.takeOutput(into: &output)
        try write(output)
    }

    private func write(_ bytes: [UInt8]) throws {
        guard case .bytes(bytes.count) = socket.write(bytes.span) else { throw Failure.broke("write") }
    }
}
