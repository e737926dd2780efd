/// Takes apart what the system writes in words between blanks.
enum Fields {
    static func of(_ line: some StringProtocol) -> [String] {
        Substring(line).split { $0 == " " || $0 == "\t" }.map(String.init)
    }

    /// The lines of a text, without the empty ones.
    static func lines(of text: String) -> [Substring] { text.split(separator: "\n") }
}
