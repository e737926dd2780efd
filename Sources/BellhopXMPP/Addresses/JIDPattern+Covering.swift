extension JIDPattern {
    /// Whether everybody with a local part whom `other` fits is known to fit this pattern, too.
    ///
    /// Never true where somebody would be left out; false for some pairs of patterns that would need a closer look.
    package func covers(_ other: JIDPattern) -> Bool {
        let (own, theirs) = (parts, other.parts)
        let coversLocal: Bool
        switch (own.local, theirs.local) {
        case (nil, _): coversLocal = true
        case (let local?, nil): coversLocal = Glob(String(local)).covers(Glob("*"))
        case (let local?, let other?): coversLocal = Glob(String(local)).covers(Glob(String(other)))
        }
        return coversLocal && Glob(own.domain).covers(Glob(theirs.domain))
    }

    /// The only domain whose addresses can fit; nil where wildcards leave room for others.
    package var onlyDomain: String? {
        let domain = parts.domain
        return Self.hasWildcards(domain) ? nil : domain
    }

    /// Whether no more than one bare address can fit.
    package var isOneAddress: Bool { parts.local != nil && !Self.hasWildcards(description) }

    private static func hasWildcards(_ text: String) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
    }

    /// What stands before and behind the `@`; no local part fits every one.
    private var parts: (local: Substring?, domain: String) {
        let text = description
        guard let at = text.firstIndex(of: "@") else { return (nil, text) }
        return (text[..<at], String(text[text.index(after: at)...]))
    }
}

extension Glob {
    /// Whether each text that `other` fits is known to fit this pattern, too: its wildcards are read as characters that
    /// only wildcards as wide can take.
    package func covers(_ other: Glob) -> Bool {
        Glob.covers(Array(pattern.unicodeScalars), Array(other.pattern.unicodeScalars))
    }

    private static func covers(_ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar]) -> Bool {
        var inPattern = 0
        var inText = 0
        var retry: (pattern: Int, text: Int)?
        while inText < text.count {
            if inPattern < pattern.count, pattern[inPattern] == "*" {
                inPattern += 1
                retry = (inPattern, inText)
            } else if inPattern < pattern.count, takes(pattern[inPattern], text[inText]) {
                inPattern += 1
                inText += 1
            } else if let last = retry {
                retry = (last.pattern, last.text + 1)
                (inPattern, inText) = (last.pattern, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[inPattern...].allSatisfy { $0 == "*" }
    }

    private static func takes(_ wanted: Unicode.Scalar, _ scalar: Unicode.Scalar) -> Bool {
        wanted == "?" ? scalar != "*" : wanted == scalar && scalar != "*"
    }
}
