/// The attribute names of one start tag, so that none is written twice, which would break the stream.
///
/// Names lie in the writer's bytes. Only where a name may have been met before, by its length and three of its bytes,
/// are names compared.
struct AttributeNames {
    private struct Name {
        var range: Range<Int>
        var namespace: String
    }

    private var seen: UInt64 = 0
    private var names: [Name] = []

    var count: Int { names.count }

    /// Whether the name is new in this tag, and no declaration of a namespace in disguise.
    mutating func insert(_ bytes: [UInt8], _ range: Range<Int>, namespace: String) -> Bool {
        guard let first = bytes[range].first, let last = bytes[range].last else { return false }
        let middle = bytes[range.lowerBound + range.count / 2]
        let hash = UInt64(range.count) &* 31 &+ UInt64(first) &* 7 &+ UInt64(middle) &* 3 &+ UInt64(last)
        let bit = 1 as UInt64 &<< (hash & 63)
        if seen & bit != 0 {
            for name in names
            where name.namespace == namespace && bytes[name.range].elementsEqual(bytes[range]) {
                return false
            }
        }
        if range.count == 5 && namespace.isEmpty && bytes[range].elementsEqual("xmlns".utf8) { return false }
        seen |= bit
        names.append(Name(range: range, namespace: namespace))
        return true
    }

    mutating func removeAll() {
        seen = 0
        if !names.isEmpty { names.removeAll(keepingCapacity: true) }
    }
}
