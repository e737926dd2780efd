/// The messages of late, so that one that comes twice is recognised.
///
/// Holds at least `size` and at most twice as many: two generations of keyed 64-bit fingerprints, the older dropped
/// whole. Keyed, so that nobody can make up a message that collides with another's.
struct DuplicateWindow {
    private let size: Int
    private let key: UInt64
    private var recent: [UInt64: Int64] = [:]
    private var older: [UInt64: Int64] = [:]

    /// What a message is known by; no identity means that it is like no other.
    struct Identity: Equatable {
        /// The own archive's id.
        var archive: UInt64?
        /// The sender, the sender's id and the body.
        var sender: UInt64?
    }

    init(size: Int, key: UInt64) {
        self.size = max(size, 1)
        self.key = key
        recent.reserveCapacity(min(size, 512))
    }

    /// The identity by own archive id, and by (bare sender, origin id or id, body) (XEP-0359).
    func identity(
        account: Int64, peer: String, archiveID: String?, originID: String?, id: String?, body: String?
    ) -> Identity {
        var identity = Identity()
        if let archiveID {
            var hasher = hasher(account, 1)
            hasher.combine(text: archiveID)
            identity.archive = UInt64(bitPattern: Int64(hasher.finalize()))
        }
        if let name = originID ?? id {
            var hasher = hasher(account, 2)
            hasher.combine(text: peer)
            hasher.combine(text: name)
            hasher.combine(text: body ?? "")
            identity.sender = UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return identity
    }

    /// The row that holds the same message.
    ///
    /// Two messages with different archive ids are two messages, whatever id their sender gave them.
    func row(of identity: Identity) -> Int64? {
        if let archive = identity.archive {
            if let packed = recent[archive] ?? older[archive] { return packed >> 1 }
            guard let sender = identity.sender, let packed = recent[sender] ?? older[sender], packed & 1 == 0 else {
                return nil
            }
            return packed >> 1
        }
        guard let sender = identity.sender, let packed = recent[sender] ?? older[sender] else { return nil }
        return packed >> 1
    }

    /// Remembers a message.
    mutating func insert(_ identity: Identity, row: Int64) {
        let packed = row << 1 | (identity.archive == nil ? 0 : 1)
        if let archive = identity.archive { recent[archive] = packed }
        if let sender = identity.sender { recent[sender] = packed }
        if recent.count >= size {
            swap(&recent, &older)
            recent.removeAll(keepingCapacity: true)
        }
    }

    private func hasher(_ account: Int64, _ purpose: UInt8) -> Hasher {
        var hasher = Hasher()
        hasher.combine(key ^ UInt64(purpose))
        hasher.combine(account)
        return hasher
    }
}

extension Hasher {
    /// Adds the bytes of a text as they are: texts that differ only in Unicode normalisation are different.
    mutating func combine(text: String) {
        let bytes = text.utf8.span
        combine(bytes.count)
        var index = 0
        while index + 8 <= bytes.count {
            var word: UInt64 = 0
            for offset in 0..<8 { word |= UInt64(bytes[index + offset]) << UInt64(offset * 8) }
            combine(word)
            index += 8
        }
        while index < bytes.count {
            combine(bytes[index])
            index += 1
        }
    }
}
