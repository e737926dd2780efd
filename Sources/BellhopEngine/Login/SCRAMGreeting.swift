internal import BellhopCrypto

/// The server's first message, read and checked (RFC 5802 section 5.1).
struct SCRAMGreeting: Equatable {
    /// Both nonces, ours first.
    let nonce: String
    let salt: [UInt8]
    let iterations: Int
    /// The hash of what the server offered (XEP-0474); nil where it says none.
    let offer: [UInt8]?

    init(_ message: [UInt8], nonce own: String, bounds: SCRAMBounds) throws(SCRAMFault) {
        guard let attributes = SCRAMAttribute.list(message), let first = attributes.first else { throw .malformed }
        if attributes.contains(where: { $0.name == "m" }) { throw .mandatoryExtension }
        if first.name == "e" { throw .serverError(first.boundedValue) }
        guard attributes.prefix(3).map(\.name) == ["r", "s", "i"] else { throw .malformed }
        // An extension that repeats a name of ours could be read differently by the two sides.
        guard attributes.dropFirst(3).allSatisfy({ !["r", "s", "i"].contains($0.name) }) else { throw .malformed }
        let offers = attributes.dropFirst(3).filter { $0.name == "h" }
        guard offers.count < 2 else { throw .malformed }
        if let text = offers.first?.value {
            guard let hash = Base64.decode(text) else { throw .malformed }
            offer = hash
        } else {
            offer = nil
        }

        nonce = first.value
        guard nonce.utf8.count > own.utf8.count, nonce.utf8.starts(with: own.utf8),
            nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .nonce }
        guard let salt = Base64.decode(attributes[1].value), !salt.isEmpty else { throw .malformed }
        self.salt = salt
        iterations = try Self.iterations(attributes[2].value, bounds)
    }

    private static func iterations(_ text: String, _ bounds: SCRAMBounds) throws(SCRAMFault) -> Int {
        let digits = text.utf8
        guard let first = digits.first, first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw .malformed }
        guard let count = Int(text) else { throw .tooManyIterations(nil, most: bounds.most) }
        if count < bounds.least { throw .tooFewIterations(count, least: bounds.least) }
        if count > bounds.most { throw .tooManyIterations(count, most: bounds.most) }
        return count
    }
}

/// One `name=value` of a SCRAM message.
struct SCRAMAttribute: Equatable {
    let name: Character
    let value: String

    /// The value, cut where a server's words would flood a log line.
    var boundedValue: String { String(value.prefix(100)) }

    /// The attributes of a message in order; nil when it is not UTF-8 or one of them is not `letter=value`.
    static func list(_ message: [UInt8]) -> [SCRAMAttribute]? {
        guard let text = String(validating: message, as: UTF8.self) else { return nil }
        var attributes: [SCRAMAttribute] = []
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let letter = part.first, part.dropFirst().first == UInt8(ascii: "="),
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter | 0x20)
            else { return nil }
            let value = String(decoding: part.dropFirst(2), as: UTF8.self)
            attributes.append(SCRAMAttribute(name: Character(Unicode.Scalar(letter)), value: value))
        }
        return attributes
    }
}
