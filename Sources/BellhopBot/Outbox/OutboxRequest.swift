/// What an admin asks behind `outbox` in the chat; nil where it cannot be understood.
enum OutboxRequest: Equatable {
    case list
    case change(OutboxVerb, OutboxChoice)

    init?(_ arguments: String) {
        let words = arguments.split(whereSeparator: \.isSeparator)
        guard let first = words.first else {
            self = .list
            return
        }
        guard words.count == 2, let verb = OutboxVerb(rawValue: first.lowercased()) else { return nil }
        if words[1].lowercased() == "all" {
            self = .change(verb, .all)
        } else if let row = RowID(words[1]), row > 0 {
            self = .change(verb, .number(row))
        } else {
            return nil
        }
    }
}
