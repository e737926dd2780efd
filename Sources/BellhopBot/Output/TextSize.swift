/// How large a text is, as people and as servers count.
struct TextSize: Equatable, Sendable {
    /// Grapheme clusters: what a person takes for one character.
    var characters: Int
    /// Of UTF-8.
    var bytes: Int

    static let zero = TextSize(characters: 0, bytes: 0)

    init(characters: Int, bytes: Int) {
        self.characters = characters
        self.bytes = bytes
    }

    init(_ text: some StringProtocol) {
        characters = text.count
        bytes = text.utf8.count
    }

    func fits(in limit: TextSize) -> Bool { characters <= limit.characters && bytes <= limit.bytes }

    static func + (a: TextSize, b: TextSize) -> TextSize {
        TextSize(characters: a.characters + b.characters, bytes: a.bytes + b.bytes)
    }

    static func - (a: TextSize, b: TextSize) -> TextSize {
        TextSize(characters: a.characters - b.characters, bytes: a.bytes - b.bytes)
    }
}
