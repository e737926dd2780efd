/// Finds what a person probably meant to type.
package enum NearestWord {
    /// The candidate with the smallest distance to the word, if that is near enough to be a slip of the finger.
    package static func find(_ word: String, among candidates: [String]) -> String? {
        guard word.count <= 64 else { return nil }
        let written = Array(word.lowercased())
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(written, Array(candidate.lowercased()))
            // A third of the letters may be wrong, in a short word one.
            guard distance <= max(1, min(written.count, candidate.count) / 3) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// Letters added, left out, replaced or swapped with their neighbour (optimal string alignment).
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
