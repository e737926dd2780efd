/// What a server offers to log in with.
package struct SASLOffer: Equatable, Sendable {
    /// The names of the mechanisms, in the server's order.
    package var mechanisms: [String]
    /// The types of channel binding (XEP-0440); nil where the server lists none.
    package var bindings: [String]?

    package init(mechanisms: [String], bindings: [String]? = nil) {
        self.mechanisms = mechanisms
        self.bindings = bindings
    }

    /// Whether only one of the two is there, -PLUS or the types for it; a server that speaks SASL2 has both or none (XEP-0440).
    var isContradictory: Bool {
        mechanisms.contains { $0.hasSuffix("-PLUS") } == (bindings ?? []).isEmpty
    }

    /// The whole offer as the server hashes it for a client to compare (XEP-0474 section 4).
    var announcement: [UInt8] {
        let lists = [mechanisms] + (bindings.map { [$0] } ?? [])
        return Array(lists.map(Self.joined).joined(separator: [0x1F]))
    }

    /// Sorted by octets, with a separator between them.
    private static func joined(_ names: [String]) -> [UInt8] {
        let sorted = names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        return Array(sorted.joined(separator: [0x1E]))
    }
}
