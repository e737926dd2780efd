/// What the stream parser found in the bytes that it was fed.
package enum StreamEvent: Equatable, Sendable {
    /// The stream's root start tag; the element has attributes and no content.
    case opened(Element)
    /// One complete first-level element.
    case element(Element)
    /// The stream's root end tag.
    case closed
    /// The peer broke a rule; nothing after this comes from the same parser. Close the stream with the condition.
    case failed(StreamFault)
}

/// Why a stream of bytes cannot be read further, named as the stream error to answer with (RFC 6120 section 4.9.3).
package enum StreamFault: Equatable, Sendable, Error {
    /// Not well-formed, an undeclared prefix included.
    case notWellFormed(line: Int, reason: String)
    /// A comment, processing instruction, DTD or entity reference (RFC 6120 section 11.1).
    case restrictedXML(String)
    /// A first-level element over one of the parser's limits.
    case policyViolation(String)
    /// Not UTF-8.
    case unsupportedEncoding
}
