/// The messages of late, so that one that comes twice is recognised.
///
/// Holds at least `size` and at most twice as many: two generations of keyed 64-bit fingerprints, the older dropped
/// whole. Keyed, so that nobody can make up a message that collides with another's.
struct DuplicateWindow {
    private let size: Int
    private let key: Fingerprint.Key
    private var recent: FingerprintTable
    private var older = FingerprintTable(capacity: 0)
    /// Whether any row in it has lost its text.
    private var hasBlanks = false
    /// Whether nothing is dropped, since an archive is being read that holds all that came meanwhile; up to 131,072
    /// fingerprints.
    var isHeld = false
    private static let mostHeld = 131_072

    /// What a message is known by; no identity means that it is like no other.
    struct Identity: Equatable {
        /// The own archive's id, and with whom: a server that takes its clock for a number gives two senders the same one.
        var archive: UInt64?
        /// The sender, the sender's id and the body.
        var sender: UInt64?
        /// The sender, the sender's id and the length of the body, for rows whose text was not kept.
        var blank: UInt64?
        /// Whether the sender's id is one that its client vouches for to be of one message only (XEP-0359 section 3.1).
        var isOrigin = false

        /// A row with what it is known by.
        func packed(_ row: Int64) -> Int64 { row << 2 | (isOrigin ? 2 : 0) | (archive == nil ? 0 : 1) }
    }

    init(size: Int, key: Fingerprint.Key) {
        self.size = max(size, 1)
        self.key = key
        recent = FingerprintTable(capacity: min(size, 512))
    }

    /// The identity by own archive id and other side, and by (bare sender, origin id or id, body) (XEP-0359).
    func identity(
        account: Int64, peer: String, archiveID: String?, originID: String?, id: String?, body: String?,
        length: Int64? = nil
    ) -> Identity {
        var identity = Identity()
        if let archiveID {
            var fingerprint = Fingerprint(key, UInt64(bitPattern: account << 1))
            fingerprint.add(peer)
            fingerprint.add(archiveID)
            identity.archive = fingerprint.value
        }
        if let name = originID ?? id {
            identity.isOrigin = originID != nil
            var fingerprint = Fingerprint(key, UInt64(bitPattern: account << 1 | 1))
            fingerprint.add(peer)
            fingerprint.add(name)
            if hasBlanks, let characters = length ?? body.map({ Int64($0.unicodeScalars.count) }) {
                var blank = fingerprint
                blank.add("\(characters) characters")
                identity.blank = blank.value
            }
            fingerprint.add(body ?? "")
            identity.sender = fingerprint.value
        }
        return identity
    }

    /// The row that holds the same message.
    ///
    /// Two messages with different archive ids are two messages, whatever id their sender gave them, unless it is an origin
    /// id: a client whose server died before it had acknowledged a message sends it again, and it is archived twice.
    func row(of identity: Identity) -> Int64? {
        if let archive = identity.archive, let packed = recent[archive] ?? older[archive] { return packed >> 2 }
        return row(identity.sender, identity) ?? (hasBlanks ? row(identity.blank, identity) : nil)
    }

    private func row(_ fingerprint: UInt64?, _ identity: Identity) -> Int64? {
        guard let fingerprint, let packed = recent[fingerprint] ?? older[fingerprint] else { return nil }
        let bothArchived = identity.archive != nil && packed & 1 != 0
        let bothOrigin = identity.isOrigin && packed & 2 != 0
        return bothArchived && !bothOrigin ? nil : packed >> 2
    }

    /// Remembers a message.
    mutating func insert(_ identity: Identity, row: Int64) {
        let packed = identity.packed(row)
        if let archive = identity.archive { recent.insert(archive, packed) }
        if let sender = identity.sender { recent.insert(sender, packed) }
        if recent.count >= size, !isHeld || recent.count >= Self.mostHeld {
            swap(&recent, &older)
            recent.removeAll()
        }
    }

    /// Remembers a message whose text was not kept, of which the length is known.
    mutating func insertBlank(
        account: Int64, peer: String, archiveID: String?, originID: String?, id: String?, length: Int64, row: Int64
    ) {
        hasBlanks = true
        var identity = identity(
            account: account, peer: peer, archiveID: archiveID, originID: originID, id: id, body: nil, length: length)
        identity.sender = identity.blank
        insert(identity, row: row)
    }

    /// Forgets these rows.
    mutating func remove(_ rows: Set<Int64>) {
        recent.remove { rows.contains($0 >> 2) }
        older.remove { rows.contains($0 >> 2) }
    }
}
