/// Addresses read of late, so that somebody who writes again costs a comparison and no reading.
///
/// One candidate a slot, so it stays bounded whoever writes. Only plain ASCII is kept: for that, equal length and equal
/// characters mean equal bytes.
package struct AddressCache {
    private struct Slot {
        var text = ""
        var jid: JID?
    }

    private static let bits: UInt64 = 10
    private static let longest = 256
    private var slots = [Slot](repeating: Slot(), count: 1 << bits)

    package init() {}

    /// The address as it came over the wire; nil when it cannot be read.
    package mutating func jid(_ text: String) -> JID? {
        let slot = Self.slot(of: text)
        if slots[slot].text.utf8.count == text.utf8.count, slots[slot].text == text { return slots[slot].jid }
        let jid = try? JID(received: text)
        if jid != nil, text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 < 0x80 }) {
            slots[slot] = Slot(text: text, jid: jid)
        }
        return jid
    }

    private static func slot(of text: String) -> Int {
        let bytes = text.utf8.span
        var hash = UInt64(bytes.count)
        for index in 0..<min(bytes.count, 16) { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> (64 - bits))
    }
}
