/// How much of the peer's input a stream parser takes before it gives up with a policy violation.
///
/// A limit ends the whole stream, because a stanza that was half skipped could not be acknowledged honestly.
package struct ParserLimits: Equatable, Sendable {
    /// Bytes of one first-level element as they came, markup included; never below 10,000 (RFC 6120 section 13.12).
    package let stanzaBytes: Int
    /// How deep elements may nest, the first-level element counting as 1; never above 256.
    package let depth: Int
    /// Attributes and namespace declarations of one element.
    package let attributes: Int
    /// Bytes of the attribute values of one element; bounds the length of a start tag too.
    package let attributeBytes: Int

    package init(
        stanzaBytes: Int = 1 << 20, depth: Int = 64, attributes: Int = 64, attributeBytes: Int = 64 << 10
    ) {
        self.stanzaBytes = max(10_000, stanzaBytes)
        // Elements are recursive values; the bound keeps their destruction from using up a thread's stack.
        self.depth = min(max(1, depth), 256)
        self.attributes = max(1, attributes)
        self.attributeBytes = max(1, attributeBytes)
    }

    /// What the roster may have while it is awaited: one element for all contacts, some hundred bytes each, of a server that has
    /// proven who it is.
    package static let rosterBytes = 16 << 20

    /// The same limits with another one for a first-level element.
    func with(stanzaBytes: Int) -> ParserLimits {
        ParserLimits(stanzaBytes: stanzaBytes, depth: depth, attributes: attributes, attributeBytes: attributeBytes)
    }

    /// For a peer that has not yet proven who it is: features and SASL need little.
    package static let beforeLogin = ParserLimits(
        stanzaBytes: 64 << 10, depth: 16, attributes: 32, attributeBytes: 16 << 10)
}
