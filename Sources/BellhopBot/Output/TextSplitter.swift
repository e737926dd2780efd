/// Cuts a long text into parts that fit into messages: at line ends, else at word ends, else between characters.
///
/// A code block is closed at the end of a part and opened again at the start of the next. A single character that is larger
/// than a message, which only an attacker writes, is cut between its scalars.
struct TextSplitter: Equatable, Sendable {
    struct Part: Equatable {
        /// The piece of the text, unchanged: all pieces, one behind the other, are the text.
        var piece: Substring
        /// The piece as it is sent: without white space at a seam, with the code block closed and opened again. Empty when
        /// nothing but white space is in it.
        var message: String
    }

    /// What was not cut off yet.
    private(set) var rest: Substring
    /// The code block in which `rest` starts.
    private var fence: CodeFence?
    /// Whether `rest` starts in the middle of a line, where no fence can stand.
    private var isInsideLine = false

    init(_ text: String) { rest = text[...] }

    /// The next part, at most so large; nil when nothing is left.
    mutating func next(_ limit: TextSize) -> Part? {
        guard !rest.isEmpty else { return nil }
        let start = rest.startIndex
        let (cut, opening) = (bestCut(limit), fence?.opening ?? "")
        let isLast = cut.index == rest.endIndex
        let piece = rest[start..<cut.index]
        // White space at the very end may have no room.
        let isWhole = isLast && (TextSize(opening) + TextSize(piece)).fits(in: limit)
        var message = String(isWhole ? piece : Self.trimmed(piece))
        if message.allSatisfy(\.isBlank) || endsBlock(message[...]) {
            message = ""
        } else {
            message = opening + message
            if !isLast, let open = cut.fence { message += "\n" + open.closing }
        }
        rest = rest[cut.index...]
        fence = cut.fence
        isInsideLine = cut.isInsideLine
        return Part(piece: piece, message: message)
    }

    /// Leaves no more than so many bytes; true when something was left out.
    mutating func cut(toBytes limit: Int) -> Bool {
        guard rest.utf8.count > limit else { return false }
        // A place within a scalar is taken for its start.
        rest = rest[..<rest.utf8.index(rest.startIndex, offsetBy: max(0, limit))]
        return true
    }

    /// Puts what is left into memory of its own, so that the whole text is not kept for its end.
    mutating func detach() { rest = String(rest)[...] }

    /// How many characters are left, give or take those that are written as several scalars.
    var charactersLeft: Int { rest.utf8.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 } }

    /// Whether a piece is nothing but the line that closes the block in which it starts: shown, it would be an empty block.
    private func endsBlock(_ piece: Substring) -> Bool {
        guard let fence, !isInsideLine, !piece.contains(where: \.isNewline) else { return false }
        return fence.isClosed(by: piece)
    }

    /// Adds text behind what is left.
    mutating func append(_ text: String) { rest = (String(rest) + text)[...] }

    // MARK: Finding the place

    private struct Cut {
        var index: String.Index
        /// The characters in front of it.
        var count: Int
        /// The code block that is open there.
        var fence: CodeFence?
        var isInsideLine = false
    }

    private func bestCut(_ limit: TextSize) -> Cut {
        var used = fence.map { TextSize($0.opening) } ?? .zero
        var fence = fence
        var isInsideLine = isInsideLine
        var count = 0
        var lineStart = rest.startIndex
        var lineEnd: Cut?
        while true {
            let start = Cut(index: lineStart, count: count, fence: fence, isInsideLine: isInsideLine)
            guard let line = line(from: lineStart, room: limit - used) else {
                return cutInside(start, used: used, limit: limit, lineEnd: lineEnd)
            }
            let after = isInsideLine ? fence : CodeFence.after(line.text, inside: fence)
            guard let next = line.next else { return Cut(index: rest.endIndex, count: count, fence: after) }
            guard (used + line.size + Self.closing(after)).fits(in: limit) else {
                // A part must not end behind a fence that it has no room to close.
                if after != fence, let lineEnd { return lineEnd }
                return cutInside(start, used: used, limit: limit, lineEnd: lineEnd)
            }
            count += line.size.characters + 1
            used = used + line.size + TextSize(characters: 1, bytes: rest[line.text.endIndex].utf8.count)
            // Nor where it would show an empty block.
            let isOpener = fence == nil && after != nil
            if !isOpener {
                lineEnd = Cut(index: after == nil ? skipEmptyLines(next) : next, count: count, fence: after)
            }
            (fence, isInsideLine, lineStart) = (after, false, next)
        }
    }

    /// What a block that is open behind a part costs it.
    private static func closing(_ fence: CodeFence?) -> TextSize {
        fence.map { TextSize("\n" + $0.closing) } ?? .zero
    }

    /// The line that starts here, without its end, if it fits; `next` is where the one behind it starts, if there is any.
    private func line(
        from start: String.Index, room: TextSize
    ) -> (text: Substring, size: TextSize, next: String.Index?)? {
        var size = TextSize.zero
        var index = start
        while index < rest.endIndex {
            let character = rest[index]
            let next = rest.index(after: index)
            if character.isNewline { return (rest[start..<index], size, next) }
            size = size + TextSize(characters: 1, bytes: character.utf8.count)
            guard size.fits(in: room) else { return nil }
            index = next
        }
        return size.fits(in: room) ? (rest[start..<index], size, nil) : nil
    }

    private func skipEmptyLines(_ start: String.Index) -> String.Index {
        var index = start
        while index < rest.endIndex, rest[index].isNewline { index = rest.index(after: index) }
        return index
    }

    /// The line that starts at `start` is too long for what is left of the part.
    private func cutInside(_ start: Cut, used: TextSize, limit: TextSize, lineEnd: Cut?) -> Cut {
        let room = limit - used - Self.closing(start.fence)
        var size = TextSize.zero
        var (hard, word) = (start, Cut?.none)
        while hard.index < rest.endIndex {
            let character = rest[hard.index]
            if character.isNewline { break }
            let next = rest.index(after: hard.index)
            size = size + TextSize(characters: 1, bytes: character.utf8.count)
            // White space at a seam is not sent, so it needs no room.
            let isBlank = character.isBlank
            guard isBlank || size.fits(in: room) else { break }
            hard.index = next
            hard.count += 1
            if isBlank { word = hard }
            if isBlank, !size.fits(in: room) { break }
        }
        hard.isInsideLine = start.isInsideLine || hard.index > start.index
        word?.isInsideLine = true
        if let lineEnd, isGood(lineEnd, hard, limit, endsUnit: \.isNewline) { return lineEnd }
        if let word, isGood(word, hard, limit, endsUnit: \.isBlank) { return word }
        if hard.index > rest.startIndex { return hard }
        return Cut(index: scalarCut(room), count: 0, fence: start.fence, isInsideLine: true)
    }

    /// Whether a place is worth the room that it leaves empty: when the part is half full there, or when the line or word
    /// behind it comes whole in the next part.
    private func isGood(
        _ place: Cut, _ hard: Cut, _ limit: TextSize, endsUnit: (Character) -> Bool
    ) -> Bool {
        if place.count * 2 >= hard.count { return true }
        let room = limit - (place.fence.map { TextSize($0.opening) } ?? .zero) - Self.closing(place.fence)
        var size = TextSize.zero
        var index = place.index
        while index < rest.endIndex, !endsUnit(rest[index]) {
            size = size + TextSize(characters: 1, bytes: rest[index].utf8.count)
            guard size.fits(in: room) else { return false }
            index = rest.index(after: index)
        }
        return true
    }

    /// As many scalars of the first character as fit, and at least one.
    private func scalarCut(_ room: TextSize) -> String.Index {
        var bytes = 0
        var index = rest.startIndex
        while index < rest.endIndex {
            bytes += rest.unicodeScalars[index].utf8.count
            if index > rest.startIndex, bytes > room.bytes { break }
            index = rest.unicodeScalars.index(after: index)
        }
        return index
    }

    private static func trimmed(_ piece: Substring) -> Substring {
        var end = piece.endIndex
        while end > piece.startIndex {
            let before = piece.index(before: end)
            guard piece[before].isBlank else { break }
            end = before
        }
        return piece[..<end]
    }
}

extension Character {
    /// Whether nothing of it is seen; a blank that carries a combining mark is no blank.
    fileprivate var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
