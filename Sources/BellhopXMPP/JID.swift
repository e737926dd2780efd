internal import BellhopUnicode

/// An XMPP address, `local@domain/resource`, prepared as RFC 7622 asks.
///
/// Two addresses that mean the same entity are equal: local part and domain are compared after preparation, the
/// resource byte for byte.
public struct JID: Hashable, Sendable, CustomStringConvertible {
    /// `local@domain`, or `domain` alone.
    public let bareText: String
    /// The part behind the first slash; nil for a bare address.
    public let resource: String?
    /// How many UTF-8 bytes of `bareText` are the local part; 0 when there is none.
    private let localLength: Int

    private init(bareText: String, resource: String?, localLength: Int) {
        self.bareText = bareText
        self.resource = resource
        self.localLength = localLength
    }

    /// Reads and prepares an address; throws what is wrong with it.
    public init(_ text: String) throws(JIDError) {
        throw .empty
    }

    /// The local part, like `alice` in `alice@example.org`; nil for a domain.
    public var local: String? { localLength == 0 ? nil : String(bareText.utf8.prefix(localLength)) }

    /// The domain, like `example.org`.
    public var domain: String {
        localLength == 0 ? bareText : String(decoding: bareText.utf8.dropFirst(localLength + 1), as: UTF8.self)
    }

    /// The address without its resource.
    public var bare: JID { JID(bareText: bareText, resource: nil, localLength: localLength) }

    public var isBare: Bool { resource == nil }

    public var description: String {
        guard let resource else { return bareText }
        return bareText + "/" + resource
    }
}

/// What is wrong with an address.
public enum JIDError: Error, Equatable, Sendable {
    case empty
    case emptyPart(JIDPart)
    case tooLong(JIDPart)
    /// A character that the part may not hold.
    case forbidden(JIDPart, Unicode.Scalar)
    case invalidDomain
}

public enum JIDPart: String, Sendable { case local, domain, resource }
