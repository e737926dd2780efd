extension Redaction.Scanner {
    /// Anything that starts with `<`.
    struct Tag {
        enum Kind { case start, end, other }
        var kind: Kind
        /// Without a prefix, in lower case.
        var name: String
        var range: Range<Int>
        var isEmpty: Bool
        /// The attributes' values without their quotes.
        var values: [(name: String, range: Range<Int>)]
        var end: Int { range.upperBound }
    }

    /// Reads a tag, comment, section or instruction; nil where it does not end.
    func tag(at start: Int) -> Tag? {
        for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] where has(opening, at: start) {
            guard let end = end(of: closing, from: start + opening.utf8.count) else { return nil }
            return Tag(kind: .other, name: "", range: start..<end, isEmpty: true, values: [])
        }
        let isEnd = start + 1 < xml.count && xml[start + 1] == UInt8(ascii: "/")
        var index = start + (isEnd ? 2 : 1)
        let nameStart = index
        while index < xml.count, !Self.endsName(xml[index]) { index += 1 }
        let name = localName(nameStart..<index)
        var values: [(name: String, range: Range<Int>)] = []
        var word = index..<index
        while index < xml.count {
            let byte = xml[index]
            if byte == UInt8(ascii: ">") {
                let isEmpty = !isEnd && xml[index - 1] == UInt8(ascii: "/")
                return Tag(
                    kind: isEnd ? .end : .start, name: name, range: start..<(index + 1), isEmpty: isEmpty,
                    values: values)
            }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                guard let close = xml[(index + 1)...].firstIndex(of: byte) else { return nil }
                values.append((localName(word), (index + 1)..<close))
                index = close
            } else if !Self.endsName(byte) {
                let continues = index > 0 && word.upperBound == index && !word.isEmpty
                word = continues ? word.lowerBound..<(index + 1) : index..<(index + 1)
            }
            index += 1
        }
        return nil
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
            || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    private func localName(_ range: Range<Int>) -> String {
        let name = xml[range]
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self).lowercased()
    }

    private func has(_ text: String, at start: Int) -> Bool {
        xml[start...].starts(with: text.utf8)
    }

    private func end(of text: String, from start: Int) -> Int? {
        guard start <= xml.count else { return nil }
        var index = start
        while index < xml.count {
            if has(text, at: index) { return index + text.utf8.count }
            index += 1
        }
        return nil
    }
}
