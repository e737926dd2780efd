import BellhopCrypto
package import BellhopTransport
package import BellhopXML
import BellhopXMPP

/// What a raw stream met that it did not expect.
package struct RawStreamFault: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
}

/// A connection to a server on which the test itself writes every stanza: none of the client's machines are used, so that a
/// mistake of theirs is not made twice. It belongs to one thread.
package final class RawStream {
    private let socket: Socket
    private let poller: Poller
    private var tls: TLSSession?
    private var parser = StreamParser()
    private var waiting: [StreamEvent] = []

    /// Connects, or throws what was tried.
    package init(host: String, port: Int, wakeup: Wakeup) throws {
        poller = Poller(wakeup: wakeup)
        socket = try Dialer().connect(
            to: Endpoint(host: host, port: UInt16(clamping: port)),
            until: MonotonicClock.now() + .seconds(30))
    }

    /// Opens a stream and returns the server's opening.
    @discardableResult
    package func open(to domain: String, namespace: String = Namespace.client) throws -> Element {
        parser = StreamParser()
        waiting = []
        try write(
            "<stream:stream to='\(domain)' version='1.0' xmlns='\(namespace)' "
                + "xmlns:stream='http://etherx.jabber.org/streams'>")
        guard case .opened(let root)? = try next() else { throw RawStreamFault(description: "no stream was opened") }
        return root
    }

    /// Encrypts the connection; the certificate must be for the domain and signed by the authority.
    package func startTLS(domain: String, authority: String) throws {
        try write("<starttls xmlns='\(Namespace.tls)'/>")
        guard try element().name == "proceed" else { throw RawStreamFault(description: "no TLS") }
        let session = try TLSSession(client: TLSContext.client(trust: .file(authority)), name: .dns(domain))
        tls = session
        while true {
            let step = session.step()
            try flush()
            switch step {
            case .done: return
            case .failed(let error): throw error
            case .needsBytes:
                guard try receive() else { throw RawStreamFault(description: "closed during the handshake") }
            }
        }
    }

    package func write(_ xml: String) throws {
        let bytes = Array(xml.utf8)
        guard let tls else { return try send(bytes) }
        try tls.write(bytes.span)
        try flush()
    }

    /// The next element, waited for; throws at the end of the stream.
    package func element() throws -> Element {
        guard case .element(let element)? = try next() else { throw RawStreamFault(description: "the stream ended") }
        return element
    }

    /// The next event, waited for; nil at the end of the connection.
    private func next() throws -> StreamEvent? {
        while waiting.isEmpty {
            guard try receive() else { return nil }
            waiting += try readEvents()
        }
        return waiting.removeFirst()
    }

    /// What has come, after waiting until something has or the wake-up rings; nil at the end of the connection.
    package func whatCame() throws -> [StreamEvent]? {
        if !waiting.isEmpty {
            defer { waiting = [] }
            return waiting
        }
        let ready = poller.wait(socket: socket, reading: true, writing: false, timeout: nil)
        guard ready.readable else { return [] }
        return try take() ? try readEvents() : nil
    }

    /// Closes the connection, as it is.
    package func finish() {
        tls?.close()
        try? flush()
        socket.finishWriting()
    }

    private var received: [UInt8] = []

    /// Waits for bytes; false at the end of the connection.
    private func receive() throws -> Bool {
        while true {
            let ready = poller.wait(socket: socket, reading: true, writing: false, timeout: .seconds(60))
            if ready.readable { return try take() }
            guard ready.woken else { throw RawStreamFault(description: "the server says nothing for a minute") }
        }
    }

    private func take() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        switch socket.read(into: &buffer) {
        case .bytes(let count):
            if let tls {
                tls.receive(buffer.span.extracting(0..<count))
            } else {
                received += buffer[..<count]
            }
            return true
        case .wouldBlock: return true
        case .ended: return false
        case .failed(let error): throw error
        }
    }

    private func readEvents() throws -> [StreamEvent] {
        var plain: [UInt8] = []
        if let tls {
            if case .failed(let error) = tls.read(into: &plain) { throw error }
            try flush()
        } else {
            swap(&plain, &received)
        }
        var events: [StreamEvent] = []
        parser.feed(plain.span, into: &events)
        return events
    }

    private func flush() throws {
        guard let tls else { return }
        var output: [UInt8] = []
        tls.takeOutput(into: &output)
        try send(output)
    }

    private func send(_ bytes: [UInt8]) throws {
        var start = 0
        while start < bytes.count {
            switch socket.write(bytes.span.extracting(start..<bytes.count)) {
            case .bytes(let count): start += count
            case .failed(let error): throw error
            }
            if start < bytes.count {
                _ = poller.wait(socket: socket, reading: false, writing: true, timeout: .seconds(60))
            }
        }
    }
}
