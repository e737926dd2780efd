internal import CBellhopOpenSSL

/// A hash function of SCRAM, with the HMAC and the PBKDF2 that are built on it.
package enum Hash: String, CaseIterable, Sendable {
    case sha1, sha256, sha512

    /// How many bytes a digest has.
    package var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// The digest of the message.
    package func digest(_ message: [UInt8]) -> [UInt8] {
        unsafe produced { output in
            unsafe message.withUnsafeBytes { message in
                unsafe EVP_Digest(message.baseAddress, message.count, output, nil, algorithm, nil) == 1
            }
        }
    }

    /// The keyed digest of the message (RFC 2104).
    package func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        // A null key means another thing to OpenSSL, and an empty array may have no address. HMAC pads keys with zero
        // bytes, so one of them is the same key.
        let key = key.isEmpty ? [0] : key
        return unsafe produced { output in
            unsafe key.withUnsafeBytes { key in
                unsafe message.withUnsafeBufferPointer { message in
                    unsafe HMAC(
                        algorithm, key.baseAddress, Int32(clamping: key.count), message.baseAddress, message.count,
                        output, nil) != nil
                }
            }
        }
    }

    /// The key that PBKDF2 with HMAC derives from a password, as long as a digest (RFC 8018 section 5.2).
    ///
    /// The time it takes grows with `iterations`, so a count that a peer chose must be bounded before. Counts below 1
    /// are taken as 1.
    package func pbkdf2(password: [UInt8], salt: [UInt8], iterations: Int) -> [UInt8] {
        // An empty array may have no address, and a null password is none at all to OpenSSL.
        let room = password.isEmpty ? [0] : password
        return unsafe produced { output in
            unsafe room.withUnsafeBytes { bytes in
                unsafe salt.withUnsafeBufferPointer { salt in
                    unsafe PKCS5_PBKDF2_HMAC(
                        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: password.count),
                        salt.baseAddress, Int32(clamping: salt.count), Int32(clamping: max(1, iterations)), algorithm,
                        Int32(size), output) == 1
                }
            }
        }
    }

    private var algorithm: OpaquePointer? {
        switch self {
        case .sha1: unsafe EVP_sha1()
        case .sha256: unsafe EVP_sha256()
        case .sha512: unsafe EVP_sha512()
        }
    }

    /// Runs a function that writes one digest, and traps when OpenSSL lacks the algorithm, which only its installation
    /// can cause.
    private func produced(by write: (UnsafeMutablePointer<UInt8>?) -> Bool) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            guard unsafe write(buffer.baseAddress) else {
                ERR_clear_error()
                preconditionFailure("OpenSSL does not compute \(rawValue); does its configuration forbid it?")
            }
            count = size
        }
    }
}
