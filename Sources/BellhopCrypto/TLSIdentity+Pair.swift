internal import CBellhopOpenSSL

extension TLSIdentity {
    /// Whether a key is that of a certificate, the first in its text; nil where one of them cannot be read.
    ///
    /// Both are PEM; an encrypted key counts as one that cannot be read.
    package static func isPair(certificate: [UInt8], key: [UInt8]) -> Bool? {
        ErrorQueue.clear()
        defer { ErrorQueue.clear() }
        guard let certificateText = unsafe memory(certificate) else { return nil }
        defer { unsafe BIO_free(certificateText) }
        guard let keyText = unsafe memory(key) else { return nil }
        defer { unsafe BIO_free(keyText) }
        guard let read = unsafe PEM_read_bio_X509(certificateText, nil, nil, nil) else { return nil }
        defer { unsafe X509_free(read) }
        guard let pair = unsafe PEM_read_bio_PrivateKey(keyText, nil, { _, _, _, _ in 0 }, nil) else { return nil }
        defer { unsafe EVP_PKEY_free(pair) }
        return unsafe X509_check_private_key(read, pair) == 1
    }

    /// A copy of the bytes that OpenSSL reads from.
    private static func memory(_ bytes: [UInt8]) -> OpaquePointer? {
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { return nil }
        let count = Int32(clamping: bytes.count)
        guard unsafe BIO_write(memory, bytes, count) == count else {
            unsafe BIO_free(memory)
            return nil
        }
        return unsafe memory
    }
}
