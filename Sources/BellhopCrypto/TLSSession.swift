internal import CBellhopOpenSSL

/// One TLS connection as bytes in, bytes out, in either role; it never touches a socket.
///
/// Encrypted bytes from the network go into `receive`, those for the network come from `takeOutput`. Every call of
/// `step`, `read`, `write` and `close` may leave output, a failed one too: the alert that tells the peer why.
///
/// A peer that closes properly shows as `.closed`. When the network ends without that, the stream may have been cut by
/// somebody between, and the session cannot know it: whoever sees the end of the network has to tell the two apart.
@safe package final class TLSSession {
    /// Where the session stands.
    private enum State {
        /// Until `step` says `.done`. Next: `open`, or `failed`.
        case handshaking
        /// Plain bytes may pass. Next: `closedByPeer`, or `failed`.
        case open
        /// The peer sent close_notify; we may still write. Next: `failed`.
        case closedByPeer
        /// For good.
        case failed(TLSError)
    }

    let handle: OpaquePointer
    let name: TLSName?
    let trust: TLSTrust
    private var state = State.handshaking

    /// A session in the client role, which verifies that the server's certificate holds the name.
    ///
    /// `application` is announced by ALPN, like `xmpp-client` for direct TLS (XEP-0368).
    package init(client context: TLSContext, name: TLSName, application: String? = nil) throws(TLSError) {
        unsafe handle = try Self.makeHandle(context)
        self.name = name
        trust = context.trust
        unsafe SSL_set_connect_state(handle)
        try demand(name)
        guard let application else { return }
        let text = Array(application.utf8)
        let list = [UInt8(clamping: text.count)] + text
        guard unsafe SSL_set_alpn_protos(handle, list, UInt32(list.count)) == 0 else {
            throw .setup("\(application) cannot be announced by ALPN: \(ErrorQueue.drain())")
        }
    }

    /// A session in the server role; whether it asks for a client's certificate is the context's business.
    package init(server context: TLSContext) throws(TLSError) {
        unsafe handle = try Self.makeHandle(context)
        name = nil
        trust = context.trust
        unsafe SSL_set_accept_state(handle)
    }

    deinit {
        unsafe SSL_free(handle)
    }

    /// Takes encrypted bytes that came from the network.
    package func receive(_ encrypted: Span<UInt8>) {
        guard !encrypted.isEmpty else { return }
        var written = 0
        // Writing to a memory BIO fails only when memory ends.
        let taken = unsafe encrypted.withUnsafeBufferPointer { bytes in
            unsafe BIO_write_ex(SSL_get_rbio(handle), bytes.baseAddress, bytes.count, &written)
        }
        if taken != 1 { state = .failed(.protocol(ErrorQueue.drain())) }
    }

    /// Goes on with the handshake as far as the received bytes allow.
    ///
    /// `.done` means that a client has verified the server; it stays `.done` afterwards.
    package func step() -> TLSStep {
        switch state {
        case .open, .closedByPeer: return .done
        case .failed(let error): return .failed(error)
        case .handshaking: break
        }
        ErrorQueue.clear()
        let result = unsafe SSL_do_handshake(handle)
        if result == 1 {
            state = .open
            return .done
        }
        switch unsafe SSL_get_error(handle, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .needsBytes
        default: return .failed(fail(with: handshakeError()))
        }
    }

    /// Appends all plain bytes that the received bytes hold, then says why it stopped.
    package func read(into plain: inout [UInt8]) -> TLSRead {
        switch state {
        case .open: break
        case .closedByPeer: return .closed
        case .failed(let error): return .failed(error)
        case .handshaking:
            switch step() {
            case .done: break
            case .needsBytes: return .needsBytes
            case .failed(let error): return .failed(error)
            }
        }
        ErrorQueue.clear()
        while true {
            var result: Int32 = 0
            // A record holds at most 16 KiB, and one call opens at most one record.
            plain.append(addingCapacity: Int(SSL3_RT_MAX_PLAIN_LENGTH)) { span in
                unsafe span.withUnsafeMutableBufferPointer { buffer, count in
                    unsafe result = SSL_read_ex(handle, buffer.baseAddress, buffer.count, &count)
                    if result != 1 { count = 0 }
                }
            }
            if result == 1 {
                // Asking once more would only be told that bytes are missing, and costs as much as a small record.
                if unsafe SSL_has_pending(handle) == 0, unsafe bellhop_bio_pending(SSL_get_rbio(handle)) == 0 {
                    return .needsBytes
                }
                continue
            }
            switch unsafe SSL_get_error(handle, result) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
                return .needsBytes
            case SSL_ERROR_ZERO_RETURN:
                state = .closedByPeer
                return .closed
            default:
                return .failed(fail(with: .protocol(ErrorQueue.drain())))
            }
        }
    }

    /// Encrypts plain bytes; throws before the handshake is done, after `close`, and after a failure.
    package func write(_ plain: Span<UInt8>) throws(TLSError) {
        switch state {
        case .open, .closedByPeer: break
        case .failed(let error): throw error
        case .handshaking: throw .protocol("nothing can be written before the handshake is done")
        }
        guard !plain.isEmpty else { return }
        ErrorQueue.clear()
        var written = 0
        let result = unsafe plain.withUnsafeBufferPointer { bytes in
            unsafe SSL_write_ex(handle, bytes.baseAddress, bytes.count, &written)
        }
        // A memory BIO takes everything, so all of it was written or the session is lost.
        guard result == 1, written == plain.count else { throw fail(with: .protocol(ErrorQueue.drain())) }
    }

    /// Queues close_notify, which tells the peer that nothing was cut off; does nothing before the handshake is done.
    package func close() {
        switch state {
        case .open, .closedByPeer:
            ErrorQueue.clear()
            // Its result says whether the peer has closed too, which `read` tells; errors mean that it was sent before.
            _ = unsafe SSL_shutdown(handle)
            ErrorQueue.clear()
        case .handshaking, .failed: break
        }
    }

    /// Appends the encrypted bytes that wait for the network.
    package func takeOutput(into encrypted: inout [UInt8]) {
        let output = unsafe SSL_get_wbio(handle)
        let waiting = unsafe bellhop_bio_pending(output)
        guard waiting > 0 else { return }
        encrypted.append(addingCapacity: waiting) { span in
            unsafe span.withUnsafeMutableBufferPointer { buffer, count in
                _ = unsafe BIO_read_ex(output, buffer.baseAddress, waiting, &count)
            }
        }
        // A memory BIO never shrinks: after an unusual burst a new one takes its place.
        if waiting > 65_536, let fresh = unsafe BIO_new(BIO_s_mem()) { unsafe SSL_set0_wbio(handle, fresh) }
    }

    /// Whether the handshake is done and nothing failed since.
    var isOpen: Bool {
        switch state {
        case .handshaking, .failed: false
        case .open, .closedByPeer: true
        }
    }

    /// The version, the cipher and the peer's certificate; nil until the handshake is done, and after a failure.
    package var facts: TLSFacts? {
        guard isOpen else { return nil }
        let cipher = unsafe SSL_CIPHER_get_name(SSL_get_current_cipher(handle))
        let certificate = unsafe SSL_get0_peer_certificate(handle)
        return unsafe TLSFacts(
            version: String(cString: SSL_get_version(handle)).replacing("TLSv", with: "TLS "),
            cipher: cipher.map { unsafe String(cString: $0) } ?? "",
            certificate: certificate.flatMap { unsafe PeerCertificate.facts(of: $0) },
            overlooked: certificate.map { unsafe overlooked(of: $0) } ?? [])
    }

    /// Whether the server has asked for the client's certificate.
    package var isCertificateAsked: Bool { unsafe bellhop_is_certificate_asked(handle) == 1 }

    private func fail(with error: TLSError) -> TLSError {
        state = .failed(error)
        return error
    }
}

/// How far a handshake is.
package enum TLSStep: Equatable, Sendable {
    case done, needsBytes
    case failed(TLSError)
}

/// Why reading stopped.
package enum TLSRead: Equatable, Sendable {
    /// Everything received was read.
    case needsBytes
    /// The peer closed properly; nothing follows.
    case closed
    case failed(TLSError)
}

extension TLSSession {
    private static func makeHandle(_ context: TLSContext) throws(TLSError) -> OpaquePointer {
        ErrorQueue.clear()
        guard let handle = unsafe SSL_new(context.handle) else { throw .setup(ErrorQueue.drain()) }
        guard let input = unsafe BIO_new(BIO_s_mem()), let output = unsafe BIO_new(BIO_s_mem()) else {
            unsafe SSL_free(handle)
            throw .setup(ErrorQueue.drain())
        }
        // The session owns both from here.
        unsafe SSL_set_bio(handle, input, output)
        return unsafe handle
    }
}
