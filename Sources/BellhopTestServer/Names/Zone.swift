/// What a name server for tests knows, and how it behaves about it.
package struct Zone: Sendable {
    package enum Record: Sendable {
        /// Four bytes of IPv4, or sixteen of IPv6.
        case address([UInt8])
        case service(priority: UInt16, weight: UInt16, port: UInt16, target: String)
        case alias(String)
    }

    /// How a question about a name is answered.
    package enum Manner: Sendable {
        case truthful
        case silent
        /// By UDP the answer is said not to fit; by TCP it is given.
        case truncated
        /// It is said not to fit, and by TCP the connection is closed.
        case truncatedForGood
        /// With this code of RFC 1035 section 4.1.1 and no records.
        case refusing(UInt8)
        /// The answers of strangers first, to another number and to another question, and then the right one.
        case afterStrangers
        /// These bytes behind the number of the question.
        case bytes([UInt8])
        /// The right header and question, so many records promised, and these bytes in their place.
        case records(UInt16, [UInt8])
    }

    private var records: [String: [Record]] = [:]
    private var manners: [String: Manner] = [:]

    package init() {}

    package mutating func add(_ name: String, _ record: Record) { records[name, default: []].append(record) }

    /// Adds an SRV record of a domain.
    package mutating func service(
        _ service: String, of domain: String, priority: UInt16 = 0, weight: UInt16 = 0, port: UInt16 = 5222,
        target: String
    ) {
        add(
            "_\(service)._tcp.\(domain)",
            .service(priority: priority, weight: weight, port: port, target: target))
    }

    package mutating func answer(_ name: String, _ manner: Manner) { manners[name] = manner }

    func manner(for name: String) -> Manner { manners[name] ?? .truthful }

    /// Nil where there is no such name.
    func records(of name: String) -> [Record]? { records[name] }
}
