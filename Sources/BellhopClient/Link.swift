internal import BellhopCrypto
internal import BellhopTransport
internal import BellhopXML

/// One connection to the server: a socket, TLS once it is up, and the parser of the current stream.
///
/// Bytes in become stream events, bytes out are collected and leave with one write. It decides nothing.
final class Link {
    let socket: Socket
    private(set) var tls: TLSSession?
    private var parser: StreamParser
    private var limits: ParserLimits
    /// Reused for every read: what the socket gave, and what TLS made of it.
    private var received = [UInt8](repeating: 0, count: Link.readSize)
    private var opened: [UInt8] = []
    /// What of the last read, plain, the parser has not seen yet.
    private var unread = 0..<0
    /// How many bytes the parser gets at once. After the login few: the stanzas of a slice are done with, and their memory
    /// is used again, before the next are made. A slice of a full read would fill the caches with stanzas that wait.
    private var slice = Int.max
    /// Encrypted (or plain) bytes that the kernel has not taken yet.
    private var unsent: [UInt8] = []
    private var unsentStart = 0
    /// Whether the handshake is still going on: bytes belong to it and to no stream.
    private(set) var isShakingHands = false

    /// A TLS record is 16 KiB; two of them a read are enough to fill a turn.
    private static let readSize = 32 * 1024
    /// When so much waits for the kernel, the loop stops reading: a server that does not read its own socket gets no
    /// more answers to hold.
    static let unsentLimit = 4 * 1024 * 1024
    private static let slice = 1024

    init(socket: Socket) {
        self.socket = socket
        limits = .beforeLogin
        parser = StreamParser(limits: limits)
    }

    enum Reading: Equatable {
        /// What was read is in the events; `more` says that the kernel may hold more.
        case events(more: Bool)
        case handshakeDone
        case ended
        case failed(LinkFailure)
    }

    /// Reads once and turns what came into events; for the rest of it call `readOn` until that is false.
    func read(into events: inout [StreamEvent]) -> Reading {
        switch socket.read(into: &received) {
        case .wouldBlock: return .events(more: false)
        case .ended: return .ended
        case .failed(let error): return .failed(.transport(error))
        case .bytes(let count):
            let more = count == received.count
            guard let tls else {
                unread = 0..<count
                parse(&events)
                return .events(more: more)
            }
            let bytes = received
            tls.receive(bytes.span.extracting(0..<count))
            return isShakingHands ? shake(tls, &events) : open(tls, more: more, &events)
        }
    }

    /// Goes on with what the last read brought, and puts new events in the place of the old; false when nothing is left.
    func readOn(into events: inout [StreamEvent]) -> Bool {
        guard !unread.isEmpty else { return false }
        events.removeAll(keepingCapacity: true)
        parse(&events)
        return true
    }

    private func parse(_ events: inout [StreamEvent]) {
        let end = unread.count > slice ? unread.lowerBound + slice : unread.upperBound
        let bytes = tls == nil ? received : opened
        parser.feed(bytes.span.extracting(unread.lowerBound..<end), into: &events)
        unread = end..<unread.upperBound
    }

    private func shake(_ tls: TLSSession, _ events: inout [StreamEvent]) -> Reading {
        let step = tls.step()
        tls.takeOutput(into: &unsent)
        switch step {
        case .needsBytes: return .events(more: false)
        case .failed(let error): return .failed(.tls(error))
        case .done:
            isShakingHands = false
            return .handshakeDone
        }
    }

    private func open(_ tls: TLSSession, more: Bool, _ events: inout [StreamEvent]) -> Reading {
        opened.removeAll(keepingCapacity: true)
        let outcome = tls.read(into: &opened)
        unread = 0..<opened.count
        if !opened.isEmpty { parse(&events) }
        switch outcome {
        case .needsBytes: return .events(more: more)
        case .closed: return .ended
        case .failed(let error): return .failed(.tls(error))
        }
    }

    /// Begins TLS as the client; the stream so far is forgotten (RFC 6120 section 5.4.3.3).
    func startTLS(_ context: TLSContext, name: TLSName, application: String? = nil) -> LinkFailure? {
        do throws(TLSError) {
            let session = try TLSSession(client: context, name: name, application: application)
            _ = session.step()
            session.takeOutput(into: &unsent)
            tls = session
            isShakingHands = true
            return nil
        } catch {
            return .tls(error)
        }
    }

    /// What of the TLS session a login can be bound to.
    var channelBindings: [ChannelBindingType: [UInt8]] {
        var bindings: [ChannelBindingType: [UInt8]] = [:]
        for type in ChannelBindingType.allCases { bindings[type] = tls?.channelBinding(type) }
        return bindings
    }

    /// Whether the server has asked for our certificate.
    var showsCertificate: Bool { tls?.isCertificateAsked ?? false }

    /// Whether the bytes read so far end where an element ended.
    var endsAtStanza: Bool { parser.isBetweenElements }

    /// A new stream begins on the same connection.
    func restartStream(loggedIn: Bool) {
        limits = loggedIn ? ParserLimits() : .beforeLogin
        slice = loggedIn ? Self.slice : .max
        parser = StreamParser(limits: limits)
    }

    /// We are logged in, and the stream goes on as it is: what it brings may be as large as what a session brings.
    func widen() {
        limits = ParserLimits()
        slice = Self.slice
        parser.adopt(limits)
    }

    /// Takes one element that is larger than others, as long as it is awaited.
    func awaitRoster(_ isAwaited: Bool) {
        parser.allow(stanzaBytes: isAwaited ? ParserLimits.rosterBytes : limits.stanzaBytes)
    }

    /// Bytes that arrived inside TLS before the handshake's end was seen; they belong to the new stream.
    func drainAfterHandshake(into events: inout [StreamEvent]) -> Reading {
        guard let tls else { return .events(more: false) }
        return open(tls, more: false, &events)
    }

    /// Takes bytes of the stream to be sent with the next `flush`.
    func send(_ bytes: [UInt8]) -> LinkFailure? {
        guard !bytes.isEmpty else { return nil }
        guard let tls else {
            unsent += bytes
            return nil
        }
        do throws(TLSError) {
            try tls.write(bytes.span)
        } catch {
            return .tls(error)
        }
        tls.takeOutput(into: &unsent)
        return nil
    }

    /// How many bytes wait for the kernel.
    var backlog: Int { unsent.count - unsentStart }

    /// Writes what the kernel takes.
    func flush() -> LinkFailure? {
        guard backlog > 0 else { return nil }
        let bytes = unsent
        switch socket.write(bytes.span.extracting(unsentStart..<bytes.count)) {
        case .failed(let error): return .transport(error)
        case .bytes(let count):
            unsentStart += count
            if unsentStart == unsent.count {
                unsent.removeAll(keepingCapacity: unsent.capacity <= 256 * 1024)
                unsentStart = 0
            }
            return nil
        }
    }

    /// Says goodbye to the TLS peer and ends our half of the connection.
    func finish() {
        if let tls, !isShakingHands {
            tls.close()
            tls.takeOutput(into: &unsent)
        }
        _ = flush()
        socket.finishWriting()
    }
}

/// Why a connection broke.
enum LinkFailure: Error, Equatable {
    case transport(TransportError)
    case tls(TLSError)
}
