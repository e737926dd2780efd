/// Markup that the caller spells out, for the one stanza that is written all the time: it costs a fifth of what names and
/// attributes cost that have to be checked. Whoever writes it answers for it; values are escaped all the same.
extension XMLWriter {
    /// Whether this is the default namespace in force at this place.
    package func isInside(_ namespace: String) -> Bool { self.namespace == namespace }

    /// Writes markup as it is.
    package mutating func markup(_ markup: StaticString) {
        endTag()
        raw(markup)
    }

    /// Writes an attribute's value between two pieces of markup, the quotes among them; they are `'`.
    package mutating func markup(_ before: StaticString, value: String, _ after: StaticString) {
        endTag()
        escaped(value, in: .attribute, before: before, after)
    }

    /// Writes a text between two pieces of markup.
    package mutating func markup(_ before: StaticString, text: String, _ after: StaticString) {
        endTag()
        escaped(text, in: .text, before: before, after)
    }
}
