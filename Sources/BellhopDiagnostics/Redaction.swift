/// Cuts secrets out of XML before it may be shown.
package enum Redaction {
    static let mark = "•••"

    /// Elements whose whole content is cut: SASL (RFC 6120 section 6), SASL2 (XEP-0388), passwords of registration,
    /// rooms and legacy login, and the digest and key that stand in for one.
    static let secretElements: Set<String> = [
        "auth", "response", "challenge", "success", "initial-response", "additional-data", "password", "digest",
        "secret", "key", "hash",
    ]

    /// Attributes whose value is cut, like the token of quick reconnection (XEP-0484).
    static let secretAttributes: Set<String> = ["token", "password", "secret"]

    /// The XML with every secret replaced by `•••`; where it does not read as XML, the rest is cut, not shown.
    package static func stanza(_ xml: String) -> String {
        var scanner = Scanner(xml: Array(xml.utf8))
        scanner.run()
        return String(decoding: scanner.output, as: UTF8.self)
    }

    struct Scanner {
        let xml: [UInt8]
        var position = 0
        var output: [UInt8] = []

        init(xml: [UInt8]) {
            self.xml = xml
            output.reserveCapacity(xml.count)
        }

        mutating func run() {
            while position < xml.count {
                if xml[position] != UInt8(ascii: "<") {
                    output.append(xml[position])
                    position += 1
                    continue
                }
                guard let tag = tag(at: position) else { return cutRest() }
                position = tag.end
                guard tag.kind == .start else {
                    output += xml[tag.range]
                    continue
                }
                output += withoutSecretAttributes(tag)
                if !tag.isEmpty && isSecret(tag) { skipContent(of: tag) }
            }
        }

        private mutating func cutRest() {
            position = xml.count
            output += Redaction.mark.utf8
        }

        /// Moves to the end tag that closes `opened`, and says that something was here.
        private mutating func skipContent(of opened: Tag) {
            var depth = 1
            let start = position
            while position < xml.count {
                guard xml[position] == UInt8(ascii: "<") else {
                    position += 1
                    continue
                }
                guard let tag = tag(at: position) else { return cutRest() }
                switch tag.kind {
                case .start: if !tag.isEmpty { depth += 1 }
                case .end: depth -= 1
                case .other: break
                }
                if depth == 0 {
                    if position > start { output += Redaction.mark.utf8 }
                    return
                }
                position = tag.end
            }
            cutRest()
        }

        private func isSecret(_ tag: Tag) -> Bool {
            if Redaction.secretElements.contains(tag.name) { return true }
            // A form's field (XEP-0004) is secret by its type or by its name.
            guard tag.name == "field" else { return false }
            let text = String(decoding: xml[tag.range], as: UTF8.self).lowercased()
            return ["text-private", "password", "passwd", "secret"].contains { text.contains($0) }
        }

        private func withoutSecretAttributes(_ tag: Tag) -> [UInt8] {
            guard tag.values.contains(where: { Redaction.secretAttributes.contains($0.name) }) else {
                return Array(xml[tag.range])
            }
            var text: [UInt8] = []
            var copied = tag.range.lowerBound
            for value in tag.values where Redaction.secretAttributes.contains(value.name) {
                text += xml[copied..<value.range.lowerBound]
                text += Redaction.mark.utf8
                copied = value.range.upperBound
            }
            return text + xml[copied..<tag.range.upperBound]
        }
    }
}
