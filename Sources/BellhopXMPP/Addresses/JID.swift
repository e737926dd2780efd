/// An XMPP address, `local@domain/resource`, prepared as RFC 7622 asks.
///
/// Two addresses that mean the same entity are equal: local part and domain are compared after preparation, the
/// resource with its case kept. There is no literal form, because a literal with a mistake in it could only trap.
public struct JID: Hashable, Sendable, CustomStringConvertible {
    /// `local@domain`, or `domain` alone.
    public let bareText: String
    /// The part behind the first slash; nil for a bare address.
    public let resource: String?
    /// How many UTF-8 bytes of `bareText` are the local part; 0 when there is none.
    private let localLength: Int

    init(bareText: String, resource: String?, localLength: Int) {
        self.bareText = bareText
        self.resource = resource
        self.localLength = localLength
    }

    /// The local part, like `alice` in `alice@example.org`; nil for a domain.
    public var local: String? { localLength == 0 ? nil : String(bareText.utf8.prefix(localLength)) }

    /// Whether there is a local part, so that the address may be a person's.
    public var hasLocal: Bool { localLength > 0 }

    /// The domain, like `example.org`.
    public var domain: String {
        localLength == 0 ? bareText : String(Substring(bareText.utf8.dropFirst(localLength + 1)))
    }

    /// The address without its resource.
    public var bare: JID { JID(bareText: bareText, resource: nil, localLength: localLength) }

    public var isBare: Bool { resource == nil }

    /// The same address with another resource, or bare when it is nil; throws what is wrong with the resource.
    public func with(resource: String?) throws(JIDError) -> JID {
        guard let resource else { return bare }
        return JID(
            bareText: bareText, resource: try JID.preparedResource(resource, as: .strict), localLength: localLength)
    }

    public var description: String {
        guard let resource else { return bareText }
        return bareText + "/" + resource
    }
}

/// The order of sorted lists: by bare address, a bare one before the full ones.
extension JID: Comparable {
    public static func < (a: JID, b: JID) -> Bool {
        guard a.bareText == b.bareText else { return a.bareText < b.bareText }
        switch (a.resource, b.resource) {
        case (_, nil): return false
        case (nil, _?): return true
        case (let left?, let right?): return left < right
        }
    }
}
