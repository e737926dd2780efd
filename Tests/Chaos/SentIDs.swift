import EndToEndSupport

/// What the bot wrote to its streams, as its own log at the level trace has it.
enum SentIDs {
    /// How often each message was written, by its id.
    static func count(in logs: [Transcript]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for log in logs {
            for line in log.lines {
                guard let start = line.firstRange(of: " out: ")?.upperBound else { continue }
                for id in messageIDs(in: line[start...]) { counts[id, default: 0] += 1 }
            }
        }
        return counts
    }

    /// The ids of the message stanzas in this text; the opening tags are ours, so their quotation marks are, too.
    static func messageIDs(in text: Substring) -> [String] {
        text.split(separator: "<message ").dropFirst(text.hasPrefix("<message ") ? 0 : 1).compactMap { piece in
            let tag = piece.prefix { $0 != ">" }
            // A typing notification has no id.
            guard let start = tag.firstRange(of: " id=") ?? (tag.hasPrefix("id=") ? tag.firstRange(of: "id=") : nil)
            else { return nil }
            guard let quote = tag[start.upperBound...].first else { return nil }
            return String(tag[start.upperBound...].dropFirst().prefix { $0 != quote })
        }
    }
}
