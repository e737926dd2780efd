internal import CBellhopOpenSSL

/// What a certificate says of itself, read while its session holds it.
enum PeerCertificate {
    /// Nil when it holds a date or a key that cannot be read.
    static func facts(of certificate: OpaquePointer) -> CertificateFacts? {
        guard let begin = unsafe seconds(X509_get0_notBefore(certificate)),
            let end = unsafe seconds(X509_get0_notAfter(certificate)), let pin = unsafe pin(of: certificate)
        else { return nil }
        let names = unsafe names(of: certificate)
        return unsafe CertificateFacts(
            names: Array(names.prefix(CertificateFacts.nameLimit)),
            furtherNames: max(0, names.count - CertificateFacts.nameLimit),
            commonName: text(NID_commonName, of: X509_get_subject_name(certificate)),
            issuer: text(NID_commonName, of: X509_get_issuer_name(certificate))
                ?? text(NID_organizationName, of: X509_get_issuer_name(certificate)),
            notBefore: begin, notAfter: end, pin: pin)
    }

    /// Whether its validity is over.
    static func hasEnded(_ certificate: OpaquePointer) -> Bool {
        unsafe X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0
    }

    /// Whether its validity has begun.
    static func hasBegun(_ certificate: OpaquePointer) -> Bool {
        unsafe X509_cmp_current_time(X509_get0_notBefore(certificate)) < 0
    }

    /// Whether it has a DNS name or an address at all.
    static func hasNames(_ certificate: OpaquePointer) -> Bool { unsafe !names(of: certificate).isEmpty }

    /// Seconds since 1970.
    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_STRING_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }

    private static func pin(of certificate: OpaquePointer) -> CertificatePin? {
        var bytes: UnsafeMutablePointer<UInt8>?
        let length = unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &bytes)
        guard length > 0, let key = unsafe bytes else { return nil }
        defer { unsafe CRYPTO_free(key, #file, #line) }
        return unsafe CertificatePin(key: Array(UnsafeBufferPointer(start: key, count: Int(length))))
    }

    private static func names(of certificate: OpaquePointer) -> [String] {
        guard let names = unsafe bellhop_alternative_names(certificate) else { return [] }
        defer { unsafe GENERAL_NAMES_free(names) }
        var found: [String] = []
        for index in 0..<max(0, unsafe bellhop_names_count(names)) {
            var isAddress: Int32 = 0
            var length: Int32 = 0
            guard let bytes = unsafe bellhop_name_bytes(names, index, &isAddress, &length) else { continue }
            if isAddress == 0 {
                found.append(unsafe printable(bytes, length))
            } else if let address = unsafe address(bytes, length) {
                found.append(address)
            }
        }
        return found
    }

    /// The XMPP addresses that it is for (XEP-0178), as they are written.
    static func addresses(of certificate: OpaquePointer) -> [String] {
        guard let names = unsafe bellhop_alternative_names(certificate) else { return [] }
        defer { unsafe GENERAL_NAMES_free(names) }
        var found: [String] = []
        for index in 0..<max(0, unsafe bellhop_names_count(names)) {
            var length: Int32 = 0
            guard let bytes = unsafe bellhop_name_xmpp(names, index, &length) else { continue }
            let buffer = unsafe UnsafeBufferPointer(start: bytes, count: Int(max(0, length)))
            unsafe found.append(String(decoding: buffer, as: UTF8.self))
        }
        return found
    }

    private static func text(_ part: Int32, of name: OpaquePointer?) -> String? {
        guard let name = unsafe name else { return nil }
        let index = unsafe X509_NAME_get_index_by_NID(name, part, -1)
        guard
            index >= 0,
            let entry = unsafe X509_NAME_get_entry(name, index),
            let value = unsafe X509_NAME_ENTRY_get_data(entry)
        else { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        let length = unsafe ASN1_STRING_to_UTF8(&bytes, value)
        guard length >= 0, let text = unsafe bytes else { return nil }
        defer { unsafe CRYPTO_free(text, #file, #line) }
        return unsafe printable(text, length)
    }

    private static func address(_ bytes: UnsafePointer<UInt8>, _ length: Int32) -> String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard unsafe bellhop_address_text(bytes, length, &text) == 1 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Longer than any host name (253 bytes), so only what is none is cut.
    private static let textLimit = 256

    /// Text that a stranger wrote: cut, and with every character replaced that is none of a name's.
    private static func printable(_ bytes: UnsafePointer<UInt8>, _ length: Int32) -> String {
        let count = Int(max(0, length))
        let buffer = unsafe UnsafeBufferPointer(start: bytes, count: min(count, textLimit))
        let scalars = unsafe String(decoding: buffer, as: UTF8.self).unicodeScalars.map { scalar in
            isHarmful(scalar) ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars)) + (count > textLimit ? "…" : "")
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        default: false
        }
    }
}
