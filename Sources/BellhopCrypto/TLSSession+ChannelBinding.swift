internal import CBellhopOpenSSL

extension TLSSession {
    /// What both ends know of this session and nobody between them can have with both; the same in either role.
    ///
    /// Nil before the handshake is done and after a failure; for `exporter` in TLS 1.2 without the extended master secret,
    /// where two sessions can be made to agree (RFC 9266 section 3); for `serverEndPoint` when the certificate's signature
    /// has no hash of its own, such as Ed25519 (RFC 5929 section 4.1 leaves that undefined).
    package func channelBinding(_ type: ChannelBindingType) -> [UInt8]? {
        guard isOpen else { return nil }
        ErrorQueue.clear()
        defer { ErrorQueue.clear() }
        switch type {
        case .exporter: return exporter()
        case .serverEndPoint: return serverEndPoint()
        }
    }

    /// RFC 9266 section 2: no context, which RFC 8446 treats as an empty one, and RFC 5705 only when it is said to be there.
    private func exporter() -> [UInt8]? {
        guard unsafe SSL_version(handle) >= TLS1_3_VERSION || bellhop_extended_master_secret(handle) == 1 else {
            return nil
        }
        let label = "EXPORTER-Channel-Binding"
        var binding = [UInt8](repeating: 0, count: 32)
        let derived = unsafe SSL_export_keying_material(
            handle, &binding, binding.count, label, label.utf8.count, nil, 0, 1)
        return derived == 1 ? binding : nil
    }

    /// RFC 5929 section 4.1: the hash of the certificate's signature, and SHA-256 where that is MD5 or SHA-1.
    private func serverEndPoint() -> [UInt8]? {
        let certificate =
            if unsafe SSL_is_server(handle) == 1 {
                unsafe SSL_get_certificate(handle)
            } else {
                unsafe SSL_get0_peer_certificate(handle)
            }
        var digest: Int32 = 0
        guard
            let certificate = unsafe certificate,
            unsafe X509_get_signature_info(certificate, &digest, nil, nil, nil) == 1
        else { return nil }
        if digest == NID_md5 || digest == NID_sha1 || digest == NID_md5_sha1 { digest = NID_sha256 }
        guard digest != NID_undef, let algorithm = unsafe bellhop_digest(digest) else { return nil }
        var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        guard unsafe X509_digest(certificate, algorithm, &hash, &length) == 1 else { return nil }
        return Array(hash.prefix(Int(length)))
    }
}
