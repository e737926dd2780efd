internal import BellhopCrypto
package import BellhopDiagnostics
internal import BellhopXMPP

/// The passwords that a server was told, which it may say back in any of its words: as they are, as XML escapes them, and in
/// base64, alone or within something longer like the first message of PLAIN.
package struct SpokenSecrets: Sendable {
    /// In lower case, since a server that takes one for a name or a domain writes it so; the longest first.
    private var plain: [[UInt8]] = []
    /// The digits of base64 that no neighbour of the password changes, where it begins at each of the three places of a group.
    private var encoded: [[UInt8]] = []

    /// A secret of less than four characters stays in what is said, since cutting it out would tell where it was not.
    package init(_ passwords: [Secret]) {
        var texts: Set<String> = []
        for password in passwords {
            texts.insert(password.reveal())
            // What leaves is prepared, and that may be another text.
            guard let sent = try? Credentials(user: "user", password: password.reveal()).password else { continue }
            texts.insert(String(decoding: sent, as: UTF8.self))
        }
        for text in texts where text.count >= 4 {
            for form in Self.written(text) { plain.append(form.utf8.map(Self.lowered)) }
            encoded += (0..<3).map { Self.digits(of: Array(text.utf8), behind: $0) }
        }
        plain.sort { $0.count > $1.count }
    }

    /// What a server said, with `•••` in place of each secret, and of the beginning of one with which a long text was cut short.
    package func cut(from words: String) -> String {
        var bytes = withoutEncoded(Array(words.utf8))
        for form in plain { bytes = Self.cut(form, from: bytes, reading: Self.lowered) { $0 } }
        if bytes.count >= Self.shortestLimit { bytes = withoutBeginning(bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// No text of fewer bytes was cut short by anybody who read it.
    private static let shortestLimit = 20

    /// Four characters of the password are in as much of each form.
    private func withoutBeginning(_ bytes: [UInt8]) -> [UInt8] {
        let found =
            plain.compactMap { Self.ending(of: bytes.map(Self.lowered), like: $0, atLeast: 4) }
            + encoded.compactMap { form in
                Self.ending(of: bytes, like: form, atLeast: 6).map { start in
                    bytes[..<start].lastIndex { !Self.isDigit($0) }.map { $0 + 1 } ?? 0
                }
            }
        guard let start = found.min() else { return bytes }
        return bytes[..<start] + Array(Secret("").description.utf8)
    }

    /// Where the bytes end with the beginning of `form`.
    private static func ending(of bytes: [UInt8], like form: [UInt8], atLeast least: Int) -> Int? {
        (least..<max(least, form.count)).reversed().first { bytes.suffix($0).elementsEqual(form.prefix($0)) }
            .map { bytes.count - $0 }
    }

    /// A sentence of ours in which a server is quoted, with the secrets cut out from the first quotation mark to the last, and
    /// base64 wherever it stands; our own words stay, since they know no secret and a gap in them would tell it.
    package func cut(fromQuotationsIn sentence: String) -> String {
        let sentence = String(decoding: withoutEncoded(Array(sentence.utf8)), as: UTF8.self)
        guard let first = sentence.firstIndex(of: "\u{201C}"), let last = sentence.lastIndex(of: "\u{201D}"),
            first < last
        else { return sentence }
        return sentence[..<first] + cut(from: String(sentence[first...last])) + sentence[sentence.index(after: last)...]
    }

    private func withoutEncoded(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for form in encoded {
            // What stands around the password in the same base64 may hold its first and last bits.
            bytes = Self.cut(form, from: bytes, reading: { $0 }) { found in
                let start = bytes[..<found.lowerBound].lastIndex { !Self.isDigit($0) }.map { $0 + 1 } ?? 0
                let end = bytes[found.upperBound...].firstIndex { !Self.isDigit($0) } ?? bytes.count
                return start..<end
            }
        }
        return bytes
    }

    /// Puts a mark in place of each range that `form` is found in, as `whole` widens it.
    private static func cut(
        _ form: [UInt8], from bytes: [UInt8], reading read: (UInt8) -> UInt8,
        _ whole: (Range<Int>) -> Range<Int>
    ) -> [UInt8] {
        var output: [UInt8] = []
        var copied = 0
        var index = 0
        while index + form.count <= bytes.count {
            guard form.indices.allSatisfy({ read(bytes[index + $0]) == form[$0] }) else {
                index += 1
                continue
            }
            let range = whole(index..<index + form.count)
            output += bytes[copied..<max(copied, range.lowerBound)] + Secret("").description.utf8
            copied = range.upperBound
            index = copied
        }
        return copied == 0 ? bytes : output + bytes[copied...]
    }

    /// The text itself, and as it stands in the text and in an attribute of XML.
    private static func written(_ text: String) -> Set<String> {
        var escaped = text
        for (character, reference) in [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")] {
            escaped = escaped.replacing(character, with: reference)
        }
        return [text, escaped, escaped.replacing("'", with: "&apos;")]
    }

    private static func digits(of bytes: [UInt8], behind count: Int) -> [UInt8] {
        let all = Array(Base64.encode([UInt8](repeating: 0, count: count) + bytes).utf8)
        return Array(all[(count * 8 + 5) / 6..<(count + bytes.count) * 8 / 6])
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

extension AccountSettings {
    /// What the server was told, and may tell.
    package var secrets: SpokenSecrets { SpokenSecrets([password] + formerPasswords) }
}
