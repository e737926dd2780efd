/// How much of an answer leaves at once; `commands.output`.
package struct OutputLimits: Equatable, Sendable {
    /// The longest message, in characters as a person counts them; nil sends every answer whole.
    ///
    /// 2,400 are two screens of a phone. With four bytes for each they are below the 10,000 bytes that every server
    /// takes (RFC 6120 section 13.12).
    package var characters: Int? = 2_400
    /// How many such messages leave before the person has to ask for more.
    package var messages = 3

    package init() {}

    package init(characters: Int?, messages: Int) {
        self.characters = characters
        self.messages = messages
    }

    /// Whether a text of so many bytes is certainly no longer than one message; the only question for most answers.
    func areKept(byBytes bytes: Int) -> Bool { characters.map { bytes <= $0 } ?? true }

    /// The longest message. A character may take four bytes on the average, so that no message is large for a server.
    var message: TextSize {
        let characters = characters ?? .max / 4
        return TextSize(characters: characters, bytes: characters.multipliedReportingOverflow(by: 4).partialValue)
    }

    /// How many characters of one output leave at once.
    var allowance: Int {
        guard let characters else { return .max }
        let (product, overflow) = characters.multipliedReportingOverflow(by: messages)
        return overflow ? .max : product
    }
}
