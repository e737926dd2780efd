internal import BellhopXML
internal import BellhopXMPP

/// Cuts a message that is too large for a server into several that are not.
///
/// Extension elements go with the first part. What cannot be cut is left out, and the last part says so.
struct MessageSplitter {
    /// How many parts there are at most; a longer text ends with a sentence that says so.
    static let partLimit = 100
    /// Less room than this for a text is none: the rest of the message takes it all.
    static let leastRoom = 64

    /// In order; the ids are empty.
    private(set) var parts: [OutgoingMessage] = []
    /// Whether extension elements are left out, because they alone are too large.
    private(set) var lacksPayloads = false
    /// Whether the end of the text is left out.
    private(set) var isCut = false

    /// Splits so that each part is at most `limit` bytes on the stream. Where not even a short sentence has room, there are
    /// no parts. A text that is not complete ends with a sentence that says so.
    init(_ message: OutgoingMessage, limit: Int, isComplete: Bool = true) {
        var shell = message
        shell.id = ""
        if shell.body != nil { shell.body = "" }
        let isTooFull = StanzaSize.of(shell) > limit - (message.body == nil ? 0 : Self.leastRoom)
        if !shell.payloads.isEmpty && isTooFull {
            shell.payloads = []
            lacksPayloads = true
        }
        if let body = message.body { split(body, into: &shell, limit: limit) }
        if parts.isEmpty && !shell.payloads.isEmpty {
            shell.body = nil
            parts = [shell]
        }
        if !isComplete && !isCut {
            isCut = true
            say(Phrases.restTooLong, shell, limit: limit)
        }
        if lacksPayloads { say(Phrases.payloadTooLarge, shell, limit: limit) }
    }

    private mutating func split(_ body: String, into shell: inout OutgoingMessage, limit: Int) {
        var text = TextSplitter(body)
        while !text.rest.isEmpty {
            guard parts.count < Self.partLimit else {
                isCut = true
                return say(Phrases.restTooLong, shell, limit: limit)
            }
            guard let piece = Self.piece(of: &text, room: limit - StanzaSize.of(shell)) else {
                isCut = true
                return
            }
            guard !piece.isEmpty else { continue }
            parts.append(Self.filled(shell, piece))
            shell.payloads = []
        }
    }

    private mutating func say(_ sentence: String, _ shell: OutgoingMessage, limit: Int) {
        let message = Self.filled(shell, sentence)
        if StanzaSize.of(message) <= limit { parts.append(message) }
    }

    private static func filled(_ shell: OutgoingMessage, _ body: String) -> OutgoingMessage {
        var message = shell
        message.body = body
        return message
    }

    /// The next piece, no larger than the room when it is escaped; nil when there is no room.
    private static func piece(of text: inout TextSplitter, room: Int) -> String? {
        var bytes = room
        while bytes >= 1, room >= leastRoom {
            var behind = text
            guard let part = behind.next(TextSize(characters: .max / 4, bytes: bytes)) else { return nil }
            let size = escaped(part.message)
            if size <= room {
                text = behind
                return part.message
            }
            // As much smaller as this piece was too large, and smaller in any case.
            bytes = min(bytes - 1, bytes * room / size)
        }
        return nil
    }

    private static func escaped(_ text: String) -> Int {
        var writer = XMLWriter(stream: Namespace.client)
        writer.text(text)
        return writer.count
    }
}
