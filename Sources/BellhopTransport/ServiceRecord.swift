/// One SRV record: where a domain offers a service (RFC 2782).
package struct ServiceRecord: Equatable, Sendable {
    package var priority: UInt16
    package var weight: UInt16
    package var target: Endpoint

    package init(priority: UInt16, weight: UInt16, target: Endpoint) {
        self.priority = priority
        self.weight = weight
        self.target = target
    }

    /// What a domain's records say about where to go.
    package enum Answer: Equatable, Sendable {
        /// No records: use the domain itself.
        case none
        /// The single target ".": the service is decidedly not offered.
        case notOffered
        case targets([Endpoint])
    }

    /// Puts records in the order in which to try them: by priority, and inside one priority drawn by weight.
    ///
    /// `draw` returns a number from 0 to its argument, both included.
    package static func order(_ records: [ServiceRecord], draw: (UInt32) -> UInt32) -> Answer {
        if records.isEmpty { return .none }
        let real = records.filter { !$0.target.host.isEmpty && $0.target.host != "." }
        if real.isEmpty { return .notOffered }
        var ordered: [Endpoint] = []
        for priority in Set(real.map(\.priority)).sorted() {
            var group = real.filter { $0.priority == priority }.sorted { $0.weight < $1.weight }
            while !group.isEmpty {
                let total = group.reduce(UInt32(0)) { $0 + UInt32($1.weight) }
                let drawn = min(draw(total), total)
                var running: UInt32 = 0
                let index =
                    group.firstIndex { record in
                        running += UInt32(record.weight)
                        return running >= drawn
                    } ?? 0
                ordered.append(group.remove(at: index).target)
            }
        }
        return .targets(ordered)
    }
}
