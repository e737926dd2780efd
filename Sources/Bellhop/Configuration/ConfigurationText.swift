/// Reads JSON with comments (`//` and `/* */`) and trailing commas, and remembers where everything stood.
///
/// It answers every input with a value or a fault, never with a trap.
package struct ConfigurationText {
    /// The most bytes that are read.
    package static let sizeLimit = 1_048_576
    /// The most lists and objects inside each other.
    package static let depthLimit = 32

    private var scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1
    private var column = 1
    private var depth = 0

    /// Reads the whole text; the first thing wrong ends it.
    package static func read(
        _ bytes: [UInt8], sizeLimit: Int = ConfigurationText.sizeLimit
    ) throws(JSONFault) -> JSONNode {
        var text = try ConfigurationText(bytes, sizeLimit)
        try text.skipSpace()
        guard text.peek != nil else { throw text.fault(.empty) }
        let node = try text.value()
        try text.skipSpace()
        guard text.peek == nil else { throw text.fault(.textAfterEnd) }
        return node
    }

    private init(_ bytes: [UInt8], _ sizeLimit: Int) throws(JSONFault) {
        let start = TextPosition(line: 1, column: 1)
        guard bytes.count <= sizeLimit else { throw JSONFault(.tooLarge(sizeLimit), at: start) }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw JSONFault(.otherEncoding, at: start)
        }
        scalars = []
        scalars.reserveCapacity(bytes.count)
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var here = start
        decoding: while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                // A byte order mark in front is no part of the text.
                if scalar == "\u{FEFF}" && scalars.isEmpty && here == start { continue }
                scalars.append(scalar)
                here =
                    scalar == "\n"
                    ? .init(line: here.line + 1, column: 1) : .init(line: here.line, column: here.column + 1)
            case .emptyInput: break decoding
            case .error: throw JSONFault(.notUTF8, at: here)
            }
        }
    }

    // MARK: - Values

    private mutating func value() throws(JSONFault) -> JSONNode {
        let start = position
        guard let scalar = peek else { throw fault(.expectedValue) }
        switch scalar {
        case "{": return JSONNode(.object(try object()), at: start)
        case "[": return JSONNode(.array(try array()), at: start)
        case "\"": return JSONNode(.string(try string()), at: start)
        case "-", "0"..."9": return JSONNode(.number(try number()), at: start)
        case "'": throw fault(.singleQuotes)
        case "a"..."z", "A"..."Z", "_":
            switch word() {
            case "true": return JSONNode(.bool(true), at: start)
            case "false": return JSONNode(.bool(false), at: start)
            case "null": return JSONNode(.null, at: start)
            default: throw JSONFault(.unquotedText, at: start)
            }
        default: throw fault(.expectedValue)
        }
    }

    private mutating func object() throws(JSONFault) -> [JSONMember] {
        let opened = try open()
        var members: [JSONMember] = []
        while true {
            try skipSpace()
            if take("}") { break }
            let keyPosition = position
            switch peek {
            case "\"": break
            case nil: throw JSONFault(.unclosed(.object, opened: opened), at: position)
            case "'": throw fault(.singleQuotes)
            default: throw fault(.expectedKey)
            }
            let key = try string()
            try skipSpace()
            guard take(":") else { throw fault(.expectedColon) }
            try skipSpace()
            members.append(JSONMember(key: key, position: keyPosition, node: try value()))
            try skipSpace()
            if take(",") { continue }
            if take("}") { break }
            throw fault(peek == nil ? .unclosed(.object, opened: opened) : .expectedCommaOrEnd(.object))
        }
        depth -= 1
        return members
    }

    private mutating func array() throws(JSONFault) -> [JSONNode] {
        let opened = try open()
        var elements: [JSONNode] = []
        while true {
            try skipSpace()
            if take("]") { break }
            guard peek != nil else { throw JSONFault(.unclosed(.list, opened: opened), at: position) }
            elements.append(try value())
            try skipSpace()
            if take(",") { continue }
            if take("]") { break }
            throw fault(peek == nil ? .unclosed(.list, opened: opened) : .expectedCommaOrEnd(.list))
        }
        depth -= 1
        return elements
    }

    /// Steps over the opening bracket and says where it stood.
    private mutating func open() throws(JSONFault) -> TextPosition {
        let opened = position
        depth += 1
        guard depth <= Self.depthLimit else { throw fault(.tooDeep(Self.depthLimit)) }
        advance()
        return opened
    }

    private mutating func word() -> String {
        var word = ""
        while let scalar = peek, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" {
            word.unicodeScalars.append(scalar)
            advance()
        }
        return word
    }

    private mutating func number() throws(JSONFault) -> String {
        let start = position
        var text = ""
        while let scalar = peek, ("0"..."9").contains(scalar) || "+-.eE".unicodeScalars.contains(scalar) {
            text.unicodeScalars.append(scalar)
            advance()
        }
        let pattern = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
        // Something like 5222x or 30s is a number with letters behind it, best called malformed as a whole.
        let endsWell = peek.map { !$0.properties.isAlphabetic && $0 != "_" } ?? true
        guard endsWell, text.utf8.count <= 64, text.wholeMatch(of: pattern) != nil else {
            throw JSONFault(.malformedNumber, at: start)
        }
        return text
    }

    // MARK: - Strings

    private mutating func string() throws(JSONFault) -> String {
        let opened = position
        advance()
        var text = ""
        while true {
            guard let scalar = peek else { throw JSONFault(.unclosedString, at: opened) }
            switch scalar {
            case "\"":
                advance()
                return text
            case "\\": text.unicodeScalars.append(try escape())
            case "\n", "\r": throw JSONFault(.lineBreakInString, at: opened)
            case "\u{0}"..."\u{1F}": throw fault(.controlCharacterInString)
            default:
                text.unicodeScalars.append(scalar)
                advance()
            }
        }
    }

    private mutating func escape() throws(JSONFault) -> Unicode.Scalar {
        let start = position
        advance()
        guard let scalar = peek else { throw JSONFault(.unknownEscape, at: start) }
        advance()
        switch scalar {
        case "\"", "\\", "/": return scalar
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": break
        default: throw JSONFault(.unknownEscape, at: start)
        }
        let unit = try hexUnit(from: start)
        if let single = Unicode.Scalar(unit) { return single }
        // A scalar above the basic plane is two escapes: a high surrogate and a low one (RFC 8259 section 7).
        guard unit < 0xDC00, take("\\"), take("u") else { throw JSONFault(.loneSurrogate, at: start) }
        let low = try hexUnit(from: start)
        guard (0xDC00...0xDFFF).contains(low) else { throw JSONFault(.loneSurrogate, at: start) }
        let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
        guard let pair = Unicode.Scalar(value) else { throw JSONFault(.loneSurrogate, at: start) }
        return pair
    }

    private mutating func hexUnit(from start: TextPosition) throws(JSONFault) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let scalar = peek, let digit = Character(scalar).hexDigitValue, scalar.isASCII else {
                throw JSONFault(.incompleteUnicodeEscape, at: start)
            }
            unit = unit << 4 | UInt16(digit)
            advance()
        }
        return unit
    }

    // MARK: - Moving

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private var position: TextPosition { TextPosition(line: line, column: column) }

    private func fault(_ kind: JSONFault.Kind) -> JSONFault { JSONFault(kind, at: position) }

    private mutating func advance() {
        guard let scalar = peek else { return }
        index += 1
        if scalar == "\n" {
            line += 1
            column = 1
        } else {
            column += 1
        }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        advance()
        return true
    }

    private mutating func skipSpace() throws(JSONFault) {
        while let scalar = peek {
            switch scalar {
            case " ", "\t", "\n", "\r": advance()
            case "/": try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(JSONFault) {
        let start = position
        advance()
        if take("/") {
            while let scalar = peek, scalar != "\n" { _ = take(scalar) }
        } else if take("*") {
            while true {
                guard let scalar = peek else { throw JSONFault(.unclosedComment, at: start) }
                advance()
                if scalar == "*" && take("/") { return }
            }
        } else {
            throw JSONFault(.expectedValue, at: start)
        }
    }
}
