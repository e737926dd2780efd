/// Why an `<iq/>` cannot be read.
package enum IQFault: Error, Equatable, Sendable {
    /// Somebody waits for an answer: send this one. The request had no child, or several.
    case malformed(IQ)
    /// Nobody can be answered: no id, an unknown type, or an address that cannot be read.
    case unanswerable
}
