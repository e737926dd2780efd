/// One SRV record: where a domain offers a service (RFC 2782).
package struct ServiceRecord: Hashable, Sendable {
    package var priority: UInt16
    package var weight: UInt16
    package var target: ServerTarget

    package init(priority: UInt16, weight: UInt16, target: ServerTarget) {
        self.priority = priority
        self.weight = weight
        self.target = target
    }

    /// The targets in the order in which to try them: by priority, and inside one priority drawn by weight.
    ///
    /// `draw` returns a number from 0 to its argument, both included.
    package static func order(_ records: [ServiceRecord], draw: (UInt32) -> UInt32) -> [ServerTarget] {
        var ordered: [ServerTarget] = []
        for priority in Set(records.map(\.priority)).sorted() {
            var group = records.filter { $0.priority == priority }.sorted { $0.weight < $1.weight }
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
        return ordered
    }
}
