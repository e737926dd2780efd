internal import BellhopBot
internal import BellhopXMPP

/// What the rules would decide about each address of a list.
struct DryRun: Equatable {
    /// One line for each address.
    var output = ""
    /// One sentence for each line that is no address.
    var problems: [String] = []

    /// `file` is the list's name for people. Empty lines are skipped.
    init(_ text: String, file: String, policy: SubscriptionPolicy) {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let address = line.drop { $0.isWhitespace }
            let end = address.lastIndex { !$0.isWhitespace }
            guard let end else { continue }
            let word = String(address[...end])
            do throws(JIDError) {
                let person = try JID(word).bare
                let decision = policy.decide(person)
                output += DryRunLine.text(
                    jid: person.bareText, action: decision.action.rawValue, decider: decision.reason.description)
            } catch {
                problems.append(ErrandPhrases.noAddress(file, line: index + 1, word, error))
            }
        }
    }
}
