/// Words that a person can copy into a shell.
enum ShellWord {
    /// The word as it is if that is safe, else in single quotes.
    static func quoted(_ word: String) -> String {
        if word.wholeMatch(of: /[A-Za-z0-9_.\/:@%+=-]+/) != nil { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
