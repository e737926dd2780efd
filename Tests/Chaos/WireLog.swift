/// What the bot wrote to its streams and what the server acknowledged, as the bot's own log at the level trace has it.
struct WireLog: Equatable, Sendable {
    /// How often each message was written, by its id.
    private(set) var written: [String: Int] = [:]
    /// Messages that a process wrote again though the server had told this very process that it has them.
    private(set) var writtenThoughAcknowledged: Set<String> = []

    /// What was written to the stream that goes on, in its order (XEP-0198): a message's id, else nil.
    private var stream: [String?] = []
    /// What the server has told this process to have.
    private var acknowledged: Set<String> = []

    /// Reads what one process after the other wrote.
    init(_ logs: [[String]] = []) {
        for log in logs {
            acknowledged = []
            for line in log { read(line) }
        }
    }

    private mutating func read(_ line: String) {
        if let start = line.firstRange(of: " trace out: ")?.upperBound {
            wrote(line[start...])
        } else if let start = line.firstRange(of: " trace in: ")?.upperBound {
            heard(line[start...])
        }
    }

    private mutating func wrote(_ text: Substring) {
        for tag in Self.tags(in: text) {
            switch tag.prefix(while: { $0 != " " && $0 != "/" }) {
            case "enable": stream = []
            case "message":
                let id = Self.value(of: "id", in: tag)
                stream.append(id)
                guard let id else { continue }
                written[id, default: 0] += 1
                if acknowledged.contains(id) { writtenThoughAcknowledged.insert(id) }
            case "iq", "presence": stream.append(nil)
            default: break
            }
        }
    }

    private mutating func heard(_ text: Substring) {
        guard let tag = Self.tags(in: text).first, let h = Self.value(of: "h", in: tag).flatMap({ Int($0) }) else {
            return
        }
        switch tag.prefix(while: { $0 != " " }) {
        case "a", "failed": acknowledge(h)
        case "resumed":
            acknowledge(h)
            // What is behind it is written again, in the same order.
            stream = Array(stream.prefix(max(0, h)))
        default: break
        }
    }

    private mutating func acknowledge(_ h: Int) { acknowledged.formUnion(stream.prefix(max(0, h)).compactMap(\.self)) }

    /// The opening tags, without their brackets; in text and values `<` is always escaped.
    private static func tags(in text: Substring) -> [Substring] {
        text.split(separator: "<").filter { $0.first != "/" }.map { $0.prefix { $0 != ">" } }
    }

    /// The value of an attribute without a prefix.
    private static func value(of name: String, in tag: Substring) -> String? {
        guard let start = tag.firstRange(of: " \(name)=")?.upperBound, let quote = tag[start...].first else {
            return nil
        }
        return String(tag[start...].dropFirst().prefix { $0 != quote })
    }
}
