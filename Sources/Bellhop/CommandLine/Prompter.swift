/// A person, or a stand-in, who answers questions.
package protocol Prompter {
    /// Whether a person answers, who can mend an answer; a file of answers would never get better.
    var isPerson: Bool { get }
    /// Asks for a line; nil when there is no more to come, or the person gave up.
    mutating func ask(_ question: String) -> String?
    /// Asks for a line that is not shown while it is typed.
    mutating func askSecret(_ question: String) -> String?
    /// Tells the person something.
    mutating func say(_ sentence: String)
}
