internal import BellhopJournal

/// The name by which a server that speaks SASL2 knows this installation again (XEP-0388 section 2.3).
extension JournalLedger {
    /// The UUID that was made at the first start; made now, of random bytes, where there is none.
    func userAgent(_ random: (Int) throws -> [UInt8]) throws -> String? {
        if let known = try journal.value(Self.userAgentKey) { return known }
        var bytes = try random(16)
        guard bytes.count == 16 else { return nil }
        // A random one says so in its version and its variant (RFC 9562 section 5.4).
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        journal.set(Self.userAgentKey, text)
        return text
    }

    private static let userAgentKey = "userAgent"
}
