/// What an hour brought, in numbers.
struct SoakReport: CustomStringConvertible {
    let seed: UInt64
    var breaches: [String]
    var faults: Int
    var lives: Int
    var turns: Int
    var said = 0
    var logged = 0
    var lostUnsecured = 0
    var answers = 0
    var repeatedAnswers = 0
    var lostAnswers = 0
    var handled = 0
    var interrupted = 0
    var declined: [String: Int] = [:]
    var deeds = 0
    var logins = 0
    var resumptions = 0
    var failedResumptions = 0

    var description: String {
        let declined = declined.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return """
            seed \(seed): \(faults) faults, \(lives) lives, \(logins) logins, \(resumptions) resumptions \
            (\(failedResumptions) refused), \(turns) turns; \(said) messages said, \(logged) logged \
            (\(lostUnsecured) lost without stream management), \(handled) handled, \(interrupted) interrupted, \
            declined: \(declined); \(answers) answers heard, \(repeatedAnswers) of them again, \
            \(lostAnswers) lost without stream management; \(deeds) deeds
            """
    }
}
