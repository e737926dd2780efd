internal import BellhopJournal

extension ControlAnswer {
    /// What the caretaker says, for the person at the command line.
    init(_ result: Result<Forgetting.Outcome, ForgetError>) {
        switch result {
        case .success(let outcome): self = .forgotten(messages: outcome.rows.count, others: outcome.others)
        case .failure(.journal(let error)): self = .failed(.journalFailed(reason: JournalPhrases.sentence(error)))
        case .failure(.logInUse): self = .failed(.logInUse)
        case .failure(.stopped): self = .failed(.noAnswer)
        }
    }
}
