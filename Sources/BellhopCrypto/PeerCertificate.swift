internal import CBellhopOpenSSL

/// What a certificate says of itself, read while its session holds it.
enum PeerCertificate {
    /// The DNS names and addresses; without any, the common name as `CN=...`.
    static func names(of certificate: OpaquePointer) -> [String] {
        let alternatives = unsafe alternativeNames(of: certificate)
        guard alternatives.isEmpty else { return alternatives }
        return unsafe commonName(of: certificate).map { ["CN=" + $0] } ?? []
    }

    /// The end of its validity in seconds since 1970.
    static func notAfter(of certificate: OpaquePointer) -> Int64? {
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_STRING_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, X509_get0_notAfter(certificate)) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }

    private static func alternativeNames(of certificate: OpaquePointer) -> [String] {
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

    private static func commonName(of certificate: OpaquePointer) -> String? {
        guard let subject = unsafe X509_get_subject_name(certificate) else { return nil }
        let index = unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        guard
            index >= 0,
            let entry = unsafe X509_NAME_get_entry(subject, index),
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

    /// Text that a stranger wrote, with every control character replaced.
    private static func printable(_ bytes: UnsafePointer<UInt8>, _ length: Int32) -> String {
        let buffer = unsafe UnsafeBufferPointer(start: bytes, count: Int(max(0, length)))
        let scalars = unsafe String(decoding: buffer, as: UTF8.self).unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
