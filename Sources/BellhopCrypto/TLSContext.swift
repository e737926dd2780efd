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

    private init(handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit {
        unsafe SSL_CTX_free(handle)
    }

    /// A context for clients, which verifies every server against the trusted authorities.
    package static func client(trust: TLSTrust) throws(TLSError) -> TLSContext {
        let context = unsafe try make(method: TLS_client_method())
        unsafe SSL_CTX_set_verify(context.handle, SSL_VERIFY_PEER, nil)
        switch trust {
        case .system:
            guard let authorities = unsafe SystemAuthorities.store else {
                throw .setup("the system's store of authorities cannot be read")
            }
            unsafe SSL_CTX_set1_cert_store(context.handle, authorities)
        case .file(let path):
            ErrorQueue.clear()
            guard unsafe SSL_CTX_load_verify_file(context.handle, path) == 1 else {
                throw .trustFile(path: path, reason: ErrorQueue.drain())
            }
            // Whatever the operator names is trusted, be it an intermediate authority or the server's own certificate.
            unsafe X509_VERIFY_PARAM_set_flags(
                SSL_CTX_get0_param(context.handle), UInt(X509_V_FLAG_PARTIAL_CHAIN))
        }
        return context
    }

    /// A context for servers, with a certificate chain and its key in PEM files.
    package static func server(certificateFile: String, keyFile: String) throws(TLSError) -> TLSContext {
        let context = unsafe try make(method: TLS_server_method())
        unsafe SSL_CTX_set_num_tickets(context.handle, 0)
        ErrorQueue.clear()
        guard unsafe SSL_CTX_use_certificate_chain_file(context.handle, certificateFile) == 1 else {
            throw .identityFile(path: certificateFile, reason: ErrorQueue.drain())
        }
        guard unsafe SSL_CTX_use_PrivateKey_file(context.handle, keyFile, SSL_FILETYPE_PEM) == 1 else {
            throw .identityFile(path: keyFile, reason: ErrorQueue.drain())
        }
        return context
    }

    private static func make(method: OpaquePointer?) throws(TLSError) -> TLSContext {
        ErrorQueue.clear()
        guard let handle = unsafe SSL_CTX_new(method) else { throw .setup(ErrorQueue.drain()) }
        let context = unsafe TLSContext(handle: handle)
        guard
            unsafe bellhop_ctx_set_versions(handle, TLS1_2_VERSION, TLS1_3_VERSION) == 1,
            unsafe SSL_CTX_set_cipher_list(handle, "ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM:DHE+CHACHA20:!aNULL") == 1
        else { throw .setup(ErrorQueue.drain()) }
        unsafe SSL_CTX_set_security_level(handle, 2)
        unsafe SSL_CTX_set_options(handle, bellhop_options())
        unsafe bellhop_ctx_set_session_cache_off(handle)
        unsafe bellhop_ctx_set_mode(handle, Int(SSL_MODE_RELEASE_BUFFERS))
        return context
    }
}
