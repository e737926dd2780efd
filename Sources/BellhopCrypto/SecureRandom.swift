internal import CBellhopOpenSSL

/// Random bytes that nobody can guess.
package enum SecureRandom {
    /// Draws bytes from OpenSSL's generator, which the kernel seeds; a count below 1 gives none.
    package static func bytes(_ count: Int) throws(SecureRandomFault) -> [UInt8] {
        guard count > 0 else { return [] }
        guard let length = Int32(exactly: count) else { throw .tooMany(count) }
        var drawn = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            drawn = unsafe RAND_bytes(buffer.baseAddress, length) == 1
            initialized = drawn ? count : 0
        }
        guard drawn else { throw .noEntropy(ErrorQueue.drain()) }
        return bytes
    }
}

/// Why no random bytes could be drawn.
package enum SecureRandomFault: Error, Equatable, Sendable {
    /// The generator failed, with OpenSSL's reason.
    case noEntropy(String)
    case tooMany(Int)
}
