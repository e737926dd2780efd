internal import CBellhopOpenSSL

/// What the sessions of one role share: protocol versions, ciphers, trusted authorities or the server's certificate.
///
/// One per process is enough: sessions share it, and with it the authorities that were read.
///
/// Only TLS 1.2 and 1.3 with forward secrecy and authenticated encryption are spoken; renegotiation, compression and
/// session tickets are off.
// Unchecked: the only property is never changed after init, nor is what it points to; `SSL_new`, the one function that
// takes it from then on, counts references and locks by itself.
@safe package final class TLSContext: @unchecked Sendable {
    let handle: OpaquePointer
    let trust: TLSTrust

    private init(handle: OpaquePointer, trust: TLSTrust) {
        unsafe self.handle = handle
        self.trust = trust
    }

    deinit {
        unsafe SSL_CTX_free(handle)
    }

    /// A context for clients, which verifies every server against the trusted authorities.
    ///
    /// A server that asks for the client's certificate is shown the identity, if there is one.
    package static func client(
        trust: TLSTrust, identity: TLSIdentity? = nil, versions: ClosedRange<TLSVersion> = .tls12 ... .tls13
    ) throws(TLSError) -> TLSContext {
        let context = unsafe try make(method: TLS_client_method(), versions, trust)
        try context.verify()
        if let identity { try context.show(identity) }
        unsafe bellhop_ctx_note_certificate_asked(context.handle)
        return context
    }

    /// A context for servers, which show the identity.
    ///
    /// With `clients` they ask for a client's certificate too, and refuse one that those authorities did not sign; a client
    /// that has none comes in all the same. `extendedMasterSecret` off is what old servers of TLS 1.2 are like (RFC 7627), and below
    /// security level 2 they show certificates that no client here takes.
    package static func server(
        _ identity: TLSIdentity, clients: TLSTrust? = nil, versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        extendedMasterSecret: Bool = true, securityLevel: Int32 = 2
    ) throws(TLSError) -> TLSContext {
        let context = unsafe try make(method: TLS_server_method(), versions, clients ?? .system)
        unsafe SSL_CTX_set_security_level(context.handle, securityLevel)
        unsafe SSL_CTX_set_num_tickets(context.handle, 0)
        if !extendedMasterSecret { unsafe SSL_CTX_set_options(context.handle, bellhop_no_extended_master_secret()) }
        try context.show(identity)
        if clients != nil { try context.verify() }
        return context
    }

    /// Demands a certificate that the trust proves.
    private func verify() throws(TLSError) {
        ErrorQueue.clear()
        unsafe SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, nil)
        if !trust.pins.isEmpty, unsafe SSL_CTX_dane_enable(handle) != 1 { throw .setup(ErrorQueue.drain()) }
        switch trust {
        case .pins: break
        case .system:
            guard let authorities = unsafe SystemAuthorities.store else {
                throw .setup("the system's store of authorities cannot be read")
            }
            unsafe SSL_CTX_set1_cert_store(handle, authorities)
        case .file(let path), .fileAndPins(let path, _):
            guard unsafe SSL_CTX_load_verify_file(handle, path) == 1 else {
                throw .trustFile(path: path, reason: ErrorQueue.drain())
            }
            // Whatever the operator names is trusted, be it an intermediate authority or the server's own certificate.
            unsafe X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(handle), UInt(X509_V_FLAG_PARTIAL_CHAIN))
        }
    }

    private func show(_ identity: TLSIdentity) throws(TLSError) {
        unsafe bellhop_ctx_ask_no_password(handle)
        ErrorQueue.clear()
        guard unsafe SSL_CTX_use_certificate_chain_file(handle, identity.certificateFile) == 1 else {
            throw .identityFile(path: identity.certificateFile, reason: ErrorQueue.drain())
        }
        guard unsafe SSL_CTX_use_PrivateKey_file(handle, identity.keyFile, SSL_FILETYPE_PEM) == 1 else {
            throw .identityFile(path: identity.keyFile, reason: ErrorQueue.drain())
        }
        // A key of another type than the certificate's is taken without a word until here.
        guard unsafe SSL_CTX_check_private_key(handle) == 1 else {
            throw .identityFile(
                path: identity.keyFile, reason: "it is not the key of the certificate in \(identity.certificateFile)")
        }
    }

    /// The XMPP addresses in the certificate that it shows; none where it shows no certificate.
    package var addresses: [String] {
        guard let certificate = unsafe SSL_CTX_get0_certificate(handle) else { return [] }
        return unsafe PeerCertificate.addresses(of: certificate)
    }

    private static func make(
        method: OpaquePointer?, _ versions: ClosedRange<TLSVersion>, _ trust: TLSTrust
    ) throws(TLSError) -> TLSContext {
        ErrorQueue.clear()
        guard let handle = unsafe SSL_CTX_new(method) else { throw .setup(ErrorQueue.drain()) }
        let context = unsafe TLSContext(handle: handle, trust: trust)
        guard
            unsafe bellhop_ctx_set_versions(handle, versions.lowerBound.number, versions.upperBound.number) == 1,
            unsafe SSL_CTX_set_cipher_list(handle, "ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM:DHE+CHACHA20:!aNULL") == 1
        else { throw .setup(ErrorQueue.drain()) }
        unsafe SSL_CTX_set_security_level(handle, 2)
        unsafe SSL_CTX_set_options(handle, bellhop_options())
        unsafe bellhop_ctx_set_session_cache_off(handle)
        unsafe bellhop_ctx_set_mode(handle, Int(SSL_MODE_RELEASE_BUFFERS))
        return context
    }
}

extension TLSVersion {
    fileprivate var number: Int32 {
        switch self {
        case .tls12: TLS1_2_VERSION
        case .tls13: TLS1_3_VERSION
        }
    }
}
