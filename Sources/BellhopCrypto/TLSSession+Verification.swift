internal import CBellhopOpenSSL

/// What a client demands of the server's certificate, and what became of it.
extension TLSSession {
    /// Demands the name from the certificate, and one of the pinned keys where there are any.
    func demand(_ name: TLSName) throws(TLSError) {
        ErrorQueue.clear()
        defer { ErrorQueue.clear() }
        guard !name.text.isEmpty, !name.text.utf8.contains(0) else { throw .name(name.text) }
        guard demandKeys(name.text), demandName(name) else { throw .name(name.text) }
    }

    private func demandName(_ name: TLSName) -> Bool {
        switch name {
        case .dns(let host):
            unsafe SSL_set_hostflags(handle, Self.hostFlags)
            return unsafe SSL_set1_host(handle, host) == 1 && bellhop_set_server_name(handle, host) == 1
        case .ip:
            // What the pins' way in has set: an address is no host name, and never stands in SNI.
            guard
                unsafe trust.pins.isEmpty
                    || (SSL_set1_host(handle, nil) == 1 && bellhop_set_server_name(handle, nil) == 1)
            else { return false }
            return unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(handle), name.text) == 1
        }
    }

    /// Pins are DANE records of the operator's own (RFC 7671): without authorities the key is all that counts, with them it
    /// counts besides.
    private func demandKeys(_ name: String) -> Bool {
        guard !trust.pins.isEmpty else { return true }
        guard unsafe SSL_dane_enable(handle, name) == 1 else { return false }
        unsafe SSL_dane_set_flags(handle, UInt(DANE_FLAG_NO_DANE_EE_NAMECHECKS))
        let authoritiesCount: Int32 = trust.file == nil ? 0 : 1
        return trust.pins.allSatisfy { pin in
            let digest = pin.bytes
            return unsafe bellhop_demand_key(handle, authoritiesCount, digest, digest.count) == 1
        }
    }

    private static let hostFlags = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)

    /// Why the handshake failed, by the verification's result where that is the cause.
    func handshakeError() -> TLSError {
        guard ErrorQueue.firstIsRefusedCertificate else { return .handshake(ErrorQueue.drain()) }
        ErrorQueue.clear()
        let result = Int32(clamping: unsafe SSL_get_verify_result(handle))
        // The refused certificate is only left in the chain that the verification built.
        guard let certificate = unsafe bellhop_chain_first(SSL_get0_verified_chain(handle)) else {
            return unsafe .certificate(fault(result, nil), of: nil)
        }
        return unsafe .certificate(fault(result, certificate), of: PeerCertificate.facts(of: certificate))
    }

    private func fault(_ result: Int32, _ certificate: OpaquePointer?) -> CertificateFault {
        switch result {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            let hasEnded = unsafe certificate.map { unsafe PeerCertificate.hasEnded($0) } ?? true
            return hasEnded ? .expired : .authorityExpired
        case X509_V_ERR_CERT_NOT_YET_VALID:
            let hasBegun = unsafe certificate.map { unsafe PeerCertificate.hasBegun($0) } ?? false
            return hasBegun ? .authorityNotYetValid : .notYetValid
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return .selfSigned
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return .unknownAuthority
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: return unsafe nameFault(certificate)
        case X509_V_ERR_DANE_NO_MATCH: return .wrongKey(pinned: trust.pins)
        case X509_V_ERR_INVALID_PURPOSE: return .wrongPurpose
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK:
            return .weak(Self.words(result))
        default: return .other(Self.words(result))
        }
    }

    private func nameFault(_ certificate: OpaquePointer?) -> CertificateFault {
        let wanted = name?.text ?? ""
        guard let certificate = unsafe certificate else { return .wrongName(wanted: wanted) }
        return unsafe PeerCertificate.hasNames(certificate) ? .wrongName(wanted: wanted) : .nameless(wanted: wanted)
    }

    private static func words(_ result: Int32) -> String {
        unsafe String(cString: X509_verify_cert_error_string(Int(result)))
    }

    /// What would have had the certificate refused if its key were not all that counts.
    func overlooked(of certificate: OpaquePointer) -> [CertificateFault] {
        guard case .pins = trust, let name else { return [] }
        var faults: [CertificateFault] = []
        if unsafe PeerCertificate.hasEnded(certificate) { faults.append(.expired) }
        if unsafe !PeerCertificate.hasBegun(certificate) { faults.append(.notYetValid) }
        let isNamed =
            switch name {
            case .dns(let host): unsafe X509_check_host(certificate, host, 0, Self.hostFlags, nil) == 1
            case .ip: unsafe X509_check_ip_asc(certificate, name.text, 0) == 1
            }
        if !isNamed { faults.append(unsafe nameFault(certificate)) }
        return faults
    }
}
