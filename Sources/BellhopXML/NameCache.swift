internal import CBellhopXML2

/// Turns libxml2's interned names into Swift strings, each only once.
///
/// libxml2 hands out one stable address for equal names and namespaces of one context, so the address is the key. A
/// table of fixed size with one candidate a slot stays bounded whatever names the peer invents.
struct NameCache {
    private struct Slot {
        var address: UInt
        var name: String
    }

    private static let bits = 8
    private var slots = [Slot](repeating: Slot(address: 0, name: ""), count: 1 << NameCache.bits)

    /// The string at this address; empty for nil.
    mutating func name(_ pointer: UnsafePointer<xmlChar>?) -> String {
        guard let pointer = unsafe pointer else { return "" }
        let address = UInt(bitPattern: pointer)
        let slot = Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) &>> (64 - UInt(Self.bits)))
        if slots[slot].address == address { return slots[slot].name }
        let name = unsafe String(cString: pointer)
        slots[slot] = Slot(address: address, name: name)
        return name
    }

    /// Forgets everything; the addresses of another context mean other names.
    mutating func removeAll() {
        for slot in slots.indices { slots[slot] = Slot(address: 0, name: "") }
    }
}
