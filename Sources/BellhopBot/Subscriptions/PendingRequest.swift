package import BellhopXMPP

/// A subscription request that waits for an admin's answer; kept across restarts.
package struct PendingRequest: Sendable, Equatable {
    package var number: Int
    /// Who asks, bare.
    package var person: JID
    package var askedAt: Timestamp

    package init(number: Int, person: JID, askedAt: Timestamp) {
        self.number = number
        self.person = person
        self.askedAt = askedAt
    }
}

/// Which pending requests an answer is about: `7`, `all @else.example` or `carol@else.example`.
package enum RequestSelector: Sendable, Equatable {
    case number(Int)
    case domain(String)
    case person(JID)
    /// Whatever waits; it cannot be typed in a chat.
    case all

    /// Reads what stands behind `accept` or `deny`; nil when it names no request.
    package init?(_ text: String) {
        let words = text.split(whereSeparator: \.isSeparator)
        switch words.count {
        case 1:
            if let number = Int(words[0]) {
                self = .number(number)
            } else if let person = try? JID(String(words[0])), person.local != nil {
                self = .person(person.bare)
            } else {
                return nil
            }
        case 2:
            guard words[0].lowercased() == "all", words[1].hasPrefix("@"),
                let domain = try? JID(String(words[1].dropFirst())), domain.local == nil, domain.isBare
            else { return nil }
            self = .domain(domain.domain)
        default:
            return nil
        }
    }
}
