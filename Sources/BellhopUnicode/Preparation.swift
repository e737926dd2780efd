/// Brings text into the one form in which it is compared, or says why it has none.
///
/// ASCII is handled without ICU, so a process that only meets ASCII never loads ICU's tables. Everything here is a
/// function of its argument alone and takes time linear in its length; how long a part of an address may be is checked
/// by who knows the part, but for a domain, whose limits are DNS's.
package enum Preparation {}

/// Why text cannot be prepared.
package enum PreparationFault: Error, Equatable, Sendable {
    /// Nothing was there, or nothing is left.
    case empty
    /// A character that may not be there, or not in this place.
    case forbidden(Unicode.Scalar)
    /// Right-to-left and left-to-right characters are mixed in a way that could be read as something else (RFC 5893
    /// section 2, RFC 3454 section 6).
    case bidi
    /// Neither a host name, internationalised or not, nor an address literal.
    case invalidDomain
    /// A label of the domain is longer than 63 bytes, or all of it longer than 253, as DNS counts.
    case domainTooLong
    /// Preparing the prepared text again changes it, so it has no settled form (RFC 8264 section 7).
    case unstable
    /// ICU failed, or its data is not installed; the number is ICU's.
    case unavailable(Int32)
}
