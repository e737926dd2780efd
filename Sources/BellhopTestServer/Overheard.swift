/// What a client said on a connection, byte by byte: the first MiB in the clear, and the first MiB inside TLS.
package struct Overheard: Sendable {
    package private(set) var inClear: [UInt8] = []
    /// Decrypted.
    package private(set) var secured: [UInt8] = []

    /// A login is far shorter; a bot that talks for hours is not to be kept in memory.
    private static let most = 1 << 20

    mutating func add(_ bytes: [UInt8], isEncrypted: Bool) {
        if isEncrypted {
            secured += bytes.prefix(Self.most - secured.count)
        } else {
            inClear += bytes.prefix(Self.most - inClear.count)
        }
    }
}
