/// What an operator says about the account that is to be made, besides its name and its password.
package struct RegistrationWish: Equatable, Sendable {
    /// Answers to further fields of the server's form, by the fields' names, each with its values in order.
    package var answers: [String: [String]]
    /// Whether a person is there who can be asked for what is missing while the server waits.
    package var canAsk: Bool

    package init(answers: [String: [String]] = [:], canAsk: Bool = false) {
        self.answers = answers
        self.canAsk = canAsk
    }
}
