/// A pattern for people: with an `@` it is held against the whole bare address, without one against the whole domain.
///
/// `*` and `?` are as in `Glob`. What stands between them is prepared like an address, so that `*@Example.ORG` fits
/// `alice@example.org`; a domain never fits by its end alone.
public struct JIDPattern: Hashable, Sendable, CustomStringConvertible {
    /// The pattern after preparation.
    public var description: String { glob.pattern }

    private let glob: Glob
    private let isForBareAddress: Bool

    /// Reads and prepares a pattern; throws what is wrong with it, a resource included.
    public init(_ text: String) throws(JIDError) {
        guard !text.isEmpty else { throw .empty }
        if text.utf8.contains(UInt8(ascii: "/")) { throw .forbidden(.domain, "/") }
        guard let at = text.utf8.firstIndex(of: UInt8(ascii: "@")) else {
            glob = Glob(try JIDPattern.preparedDomain(text[...]))
            isForBareAddress = false
            return
        }
        // Neither `*` nor `?` is changed or refused in a local part, so it can be prepared whole.
        let local = try JID.preparedLocal(String(text[..<at]))
        let domain = try JIDPattern.preparedDomain(text[text.utf8.index(after: at)...])
        glob = Glob(local + "@" + domain)
        isForBareAddress = true
    }

    /// Whether the address, its resource left out, fits the pattern.
    public func matches(_ jid: JID) -> Bool {
        glob.matches(isForBareAddress ? jid.bareText : jid.domain)
    }

    /// Label by label, because IDNA refuses a `*`, and a number alone, which `192.0.2.*` is full of.
    private static func preparedDomain(_ text: Substring) throws(JIDError) -> String {
        guard text.utf8.contains(where: isWildcard) else { return try JID.preparedDomain(String(text)) }
        var labels: [String] = []
        for label in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard !label.isEmpty else { throw .emptyPart(.domain) }
            for scalar in label.unicodeScalars where scalar.value <= 0x20 || scalar == "@" {
                throw .forbidden(.domain, scalar)
            }
            let lowercased = label.lowercased()
            let isPlain = lowercased.utf8.allSatisfy { $0 < 0x80 } && !lowercased.utf8.starts(with: "xn--".utf8)
            let hasWildcard = lowercased.utf8.contains(where: isWildcard)
            labels.append(isPlain || hasWildcard ? lowercased : try JID.preparedDomain(lowercased))
        }
        return labels.joined(separator: ".")
    }

    private static func isWildcard(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?")
    }
}
