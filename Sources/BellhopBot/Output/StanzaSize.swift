/// Sizes of stanzas on the stream, in bytes.
package enum StanzaSize {
    /// What every server has to take (RFC 6120 section 13.12).
    package static let guaranteed = 10_000
}
