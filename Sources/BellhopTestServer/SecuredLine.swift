package import BellhopCrypto

/// What the server's end of a TLS session knows.
package struct SecuredLine: Equatable, Sendable {
    /// Version, cipher, and what the client's certificate says.
    package let facts: TLSFacts?
    /// What a login can be bound to; a type that the session does not have is missing.
    package let channelBindings: [ChannelBindingType: [UInt8]]

    init(_ session: TLSSession) {
        facts = session.facts
        var bindings: [ChannelBindingType: [UInt8]] = [:]
        for type in ChannelBindingType.allCases { bindings[type] = session.channelBinding(type) }
        channelBindings = bindings
    }
}
