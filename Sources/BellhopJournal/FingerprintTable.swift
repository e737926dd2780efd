/// Rows by fingerprint: open addressing, made for keys that are evenly spread hashes already.
struct FingerprintTable {
    private struct Slot {
        /// 0 stands for an empty slot.
        var key: UInt64 = 0
        var value: Int64 = 0
    }

    private var slots: [Slot]
    private(set) var count = 0

    /// Makes room for so many rows; it grows when there are more.
    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = [Slot](repeating: Slot(), count: size)
    }

    subscript(_ fingerprint: UInt64) -> Int64? {
        let slot = place(of: max(fingerprint, 1))
        return slots[slot].key == 0 ? nil : slots[slot].value
    }

    mutating func insert(_ fingerprint: UInt64, _ value: Int64) {
        if count * 2 >= slots.count { grow() }
        let key = max(fingerprint, 1)
        let slot = place(of: key)
        if slots[slot].key == 0 { count += 1 }
        slots[slot] = Slot(key: key, value: value)
    }

    /// Forgets everything but keeps the memory.
    mutating func removeAll() {
        guard count > 0 else { return }
        for index in slots.indices { slots[index] = Slot() }
        count = 0
    }

    /// Forgets the rows that fit.
    mutating func remove(where fits: (Int64) -> Bool) {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count)
        count = 0
        for entry in old where entry.key != 0 && !fits(entry.value) {
            slots[place(of: entry.key)] = entry
            count += 1
        }
    }

    /// Where the key is, or the empty slot where it belongs; at most half of the slots are taken, so there is one.
    private func place(of key: UInt64) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: key) & mask
        while slots[slot].key != 0, slots[slot].key != key { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for entry in old where entry.key != 0 { slots[place(of: entry.key)] = entry }
    }
}
