internal import Glibc

/// A POSIX extended regular expression that a whole text has to fit; no text makes it run away, as it could with an engine
/// that tries everything.
package struct TextPattern: Equatable, Sendable {
    package let source: String

    /// Nil for what is no expression.
    package init?(_ source: String) {
        guard !source.utf8.contains(0) else { return nil }
        self.source = source
        guard unsafe compiled({ _ in true }) != nil else { return nil }
    }

    package func matches(_ text: String) -> Bool {
        guard !text.utf8.contains(0) else { return false }
        return unsafe compiled { expression in unsafe regexec(expression, text, 0, nil, 0) == 0 } ?? false
    }

    private func compiled(_ work: (UnsafePointer<regex_t>) -> Bool) -> Bool? {
        var expression = unsafe regex_t()
        guard unsafe regcomp(&expression, "^(\(source))$", REG_EXTENDED | REG_NOSUB) == 0 else { return nil }
        defer { unsafe regfree(&expression) }
        return unsafe work(&expression)
    }
}
