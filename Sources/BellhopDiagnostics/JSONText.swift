/// Writes JSON (RFC 8259): strings with everything escaped that could break a line or a terminal.
package enum JSONText {
    /// The text as a JSON string, quotes included.
    package static func string(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\n": json += "\\n"
            case "\r": json += "\\r"
            case "\t": json += "\\t"
            default:
                if VisibleText.isHarmful(scalar) {
                    // Above the basic plane an escape is a pair of UTF-16 units.
                    for unit in UTF16.encode(scalar) ?? .init() { json += escaped(unit) }
                } else {
                    json.unicodeScalars.append(scalar)
                }
            }
        }
        return json + "\""
    }

    /// An object of already written values, in the order given.
    package static func object(_ members: [(name: String, json: String)]) -> String {
        "{" + members.map { "\(string($0.name)):\($0.json)" }.joined(separator: ",") + "}"
    }

    /// An array of already written values.
    package static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

    private static func escaped(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
