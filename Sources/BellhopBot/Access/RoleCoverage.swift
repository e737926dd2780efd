internal import BellhopXMPP

/// The entries of a role in order, to be asked whether one of them leaves nobody for a further one.
///
/// Addresses are found by a look, and of the entries with wildcards no more than the first hundred of each kind are asked one by
/// one, so that a list of ten thousand of either is read at once. What a later one covers is not noticed, which harms nobody.
package struct RoleCoverage {
    package struct Entry {
        package let index: Int
        package let member: RoleMember
    }

    /// Groups and single addresses, which cover nothing but themselves.
    private var single: [RoleMember: Entry] = [:]
    /// Entries for one domain, or for some addresses of it.
    private var inDomain: [String: [Entry]] = [:]
    private var everywhere: [Entry] = []
    private static let looksAt = 100

    package init() {}

    /// Adds the next entry.
    package mutating func append(_ member: RoleMember, index: Int) {
        let entry = Entry(index: index, member: member)
        guard case .pattern(let pattern) = member, !pattern.isOneAddress else {
            single[member] = single[member] ?? entry
            return
        }
        if let domain = pattern.onlyDomain {
            if inDomain[domain, default: []].count < Self.looksAt { inDomain[domain, default: []].append(entry) }
        } else if everywhere.count < Self.looksAt {
            everywhere.append(entry)
        }
    }

    /// The first entry that leaves nobody for this one.
    package func first(covering member: RoleMember) -> Entry? {
        var found = [single[member], everywhere.first { $0.member.covers(member) }]
        if case .pattern(let pattern) = member, let domain = pattern.onlyDomain {
            found.append(inDomain[domain]?.first { $0.member.covers(member) })
        }
        return found.compactMap(\.self).min { $0.index < $1.index }
    }
}
