/// The messages of late, so that one that comes twice is recognised.
///
/// Holds at least `size` and at most twice as many: two generations of keyed 64-bit fingerprints, the older dropped
/// whole. Keyed, so that nobody can make up a message that collides with another's.
struct DuplicateWindow {
    private let size: Int
    private let key: Fingerprint.Key
    private var recent: FingerprintTable
    private var older = FingerprintTable(capacity: 0)

    /// What a message is known by; no identity means that it is like no other.
    struct Identity: Equatable {
        /// The own archive's id.
        var archive: UInt64?
        /// The sender, the sender's id and the body.
        var sender: UInt64?
    }

    init(size: Int, key: Fingerprint.Key) {
        self.size = max(size, 1)
        self.key = key
        recent = FingerprintTable(capacity: min(size, 512))
    }

    /// The identity by own archive id, and by (bare sender, origin id or id, body) (XEP-0359).
    func identity(
        account: Int64, peer: String, archiveID: String?, originID: String?, id: String?, body: String?
    ) -> Identity {
        var identity = Identity()
        if let archiveID {
            var fingerprint = Fingerprint(key, UInt64(bitPattern: account << 1))
            fingerprint.add(archiveID)
            identity.archive = fingerprint.value
        }
        if let name = originID ?? id {
            var fingerprint = Fingerprint(key, UInt64(bitPattern: account << 1 | 1))
            fingerprint.add(peer)
            fingerprint.add(name)
            fingerprint.add(body ?? "")
            identity.sender = fingerprint.value
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
        if let archive = identity.archive { recent.insert(archive, packed) }
        if let sender = identity.sender { recent.insert(sender, packed) }
        if recent.count >= size {
            swap(&recent, &older)
            recent.removeAll()
        }
    }
}
