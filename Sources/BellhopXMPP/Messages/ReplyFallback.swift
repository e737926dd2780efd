internal import BellhopXML

/// Which part of a body only repeats the message that it replies to (XEP-0461 section 3, XEP-0428 section 2.2).
struct ReplyFallback {
    /// Positions in Unicode scalars, the end not included; as the sender wrote them, beyond the body's end as well.
    private var ranges: [(start: Int, end: Int)] = []

    /// Notes the ranges of a `<fallback/>`, if it is one for replies; what cannot be read marks nothing.
    mutating func note(_ fallback: Element) {
        guard fallback.name == "fallback", fallback["for"] == Namespace.reply else { return }
        for case .element(let range) in fallback.nodes where range.is("body", Namespace.fallback) {
            guard let start = ReplyFallback.position(range["start"], else: 0),
                let end = ReplyFallback.position(range["end"], else: .max), start < end
            else { continue }
            ranges.append((start, end))
        }
    }

    /// The body without them.
    func cut(from body: String) -> String {
        guard !ranges.isEmpty else { return body }
        let ordered = ranges.sorted { $0.start < $1.start }
        var kept = String.UnicodeScalarView()
        var next = 0
        var cutEnd = 0
        var position = 0
        for scalar in body.unicodeScalars {
            while next < ordered.count, ordered[next].start <= position {
                cutEnd = max(cutEnd, ordered[next].end)
                next += 1
            }
            if position >= cutEnd { kept.append(scalar) }
            position += 1
        }
        return String(kept)
    }

    private static func position(_ text: String?, else absent: Int) -> Int? {
        guard let text else { return absent }
        return DecimalText.value(of: text).map { max($0, 0) }
    }
}
