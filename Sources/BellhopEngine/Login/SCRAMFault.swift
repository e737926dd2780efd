/// Why a server failed the SCRAM exchange (RFC 5802); the password is never sent in any of these cases.
package enum SCRAMFault: Error, Equatable, Sendable {
    /// A message that does not follow the grammar, or base64 that is none.
    case malformed
    /// The server's nonce does not begin with ours, adds nothing to it, or holds characters that a nonce may not.
    case nonce
    /// The server asks for an extension that we must not ignore (`m=`).
    case mandatoryExtension
    /// What the server offered is not what came here (XEP-0474): somebody cut mechanisms or types of channel binding out.
    case offerChanged
    /// Fewer iterations than we accept: a stolen copy of the exchange would be cheap to search.
    case tooFewIterations(Int, least: Int)
    /// More iterations than we accept: the server could keep us computing for as long as it likes. Nil when the number
    /// is too long to be read.
    case tooManyIterations(Int?, most: Int)
    /// The server says that it failed, in its own word (`e=`).
    case serverError(String)
    /// The server's proof is not that of one who knows the password.
    case wrongProof
    /// The server says that we are logged in without having proved itself.
    case noProof
    /// A message that has no place at this point of the exchange.
    case unexpected
}

/// The iteration counts that are accepted; checked before any of them is computed.
package struct SCRAMBounds: Equatable, Sendable {
    package let least: Int
    package let most: Int

    package init(least: Int = 4096, most: Int = 1_000_000) {
        self.least = least
        self.most = most
    }
}
