@testable import Bellhop
@testable import BellhopTestServer

/// What is no XMPP: each of it before the login, and once more on a live stream.
extension HostileTable {
    /// What is sent, what the log calls it, and what the server is told.
    private struct Bytes: Sendable {
        let name: String
        let bytes: [UInt8]
        let fault: String
        let error: String

        init(_ name: String, _ text: String, _ fault: String, _ error: String) {
            self.init(name, Array(text.utf8), fault, error)
        }

        init(_ name: String, _ bytes: [UInt8], _ fault: String, _ error: String) {
            self.name = name
            self.bytes = bytes
            self.fault = fault
            self.error = error
        }
    }

    private static let laughs =
        "<!DOCTYPE lolz [<!ENTITY lol 'lol'><!ENTITY lol2 '&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;'>"
        + "<!ENTITY lol3 '&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;'>]><message><body>&lol3;</body></message>"

    private static func restricted(_ name: String, _ text: String, _ what: String) -> Bytes {
        Bytes(name, text, "forbidden XML (\(what))", "restricted-xml")
    }

    private static func malformed(_ name: String, _ text: String, _ reason: String) -> Bytes {
        malformed(name, Array(text.utf8), reason)
    }

    private static func malformed(_ name: String, _ bytes: [UInt8], _ reason: String) -> Bytes {
        Bytes(name, bytes, "not well-formed (line 1: \(reason))", "not-well-formed")
    }

    private static func inBody(_ bytes: [UInt8]) -> [UInt8] {
        Array("<message><body>".utf8) + bytes + Array("</body></message>".utf8)
    }

    private static let bytes: [Bytes] = [
        restricted("a comment", "<!-- x -->", "comment"),
        restricted("a comment in a stanza", "<message><!-- x --></message>", "comment"),
        restricted("a processing instruction", "<?pi x?>", "processing instruction"),
        malformed(
            "a second XML declaration", "<?xml version='1.0'?>",
            "XML declaration allowed only at the start of the document"),
        restricted("a billion laughs", laughs, "declaration"),
        restricted("an external entity", "<!DOCTYPE x SYSTEM 'file:///etc/passwd'><x/>", "declaration"),
        restricted("an entity that nobody declared", "<message><body>&undefined;</body></message>", "entity reference"),
        restricted("such an entity in an attribute", "<message to='&undefined;'/>", "entity reference"),
        malformed(
            "half a character", inBody([0xC3]),
            "Input is not proper UTF-8, indicate encoding ! Bytes: 0xC3 0x3C 0x2F 0x62"),
        malformed(
            "a byte that is no character", inBody([0xFF]),
            "Input is not proper UTF-8, indicate encoding ! Bytes: 0xFF 0x3C 0x2F 0x62"),
        malformed(
            "a character in too many bytes", inBody([0xC0, 0x80]),
            "Input is not proper UTF-8, indicate encoding ! Bytes: 0xC0 0x80 0x3C 0x2F"),
        malformed("half of a pair of UTF-16", inBody([0xED, 0xA0, 0x80]), "Char 0xD800 out of allowed range"),
        malformed("a control character", "<message><body>\u{1}</body></message>", "PCDATA invalid Char value 1"),
        malformed("a null byte", "<message>\u{0}</message>", "Char 0x0 out of allowed range"),
        malformed("an undeclared prefix", "<x:message/>", "Namespace prefix x on message is not defined"),
        malformed(
            "an undeclared prefix of an attribute", "<message x:to='a'/>",
            "Namespace prefix x for to on message is not defined"),
        malformed("an attribute twice", "<message to='a' to='b'/>", "Attribute to redefined"),
        malformed(
            "an attribute twice, by two prefixes", "<m xmlns:a='u' xmlns:b='u' a:t='' b:t=''/>",
            "Namespaced Attribute t in 'u' redefined"),
        malformed(
            "the prefix xml for something else", "<message xmlns:xml='urn:x'/>",
            "xml namespace prefix mapped to wrong URI"),
        malformed(
            "crossed tags", "<message><body></message></body>",
            "Opening and ending tag mismatch: body line 1 and message"),
        malformed("text between stanzas", "words<a/>", "text between first-level elements"),
        malformed("a lone angle", "<<<>", "StartTag: invalid element name"),
        malformed("an end of something else", "</nobody>", "Opening and ending tag mismatch: stream line 1 and nobody"),
        malformed("an attribute without quotes", "<message to=a/>", "AttValue: \" or ' expected"),
    ]

    private static let mute = "before it said what it offers"

    private static func rows(_ stage: HostileRow.Stage, _ during: String, depth: Int, attributes: Int) -> [HostileRow] {
        func row(_ name: String, _ bytes: [UInt8], _ fault: String, _ error: String) -> HostileRow {
            HostileRow(
                name, at: stage, .cannotRead("the server sent what is no XMPP\(during): \(fault)", error: error)
            ) { $0.connection.sendBytes([bytes]) }
        }
        func over(_ name: String, _ text: String, _ limit: String) -> HostileRow {
            row(name, Array(text.utf8), "over a limit (\(limit))", "policy-violation")
        }
        return bytes.map { row($0.name, $0.bytes, $0.fault, $0.error) } + [
            over(
                "elements in elements", "<message>" + String(repeating: "<a>", count: 100_000),
                "elements nest deeper than \(depth)"),
            over(
                "a thousand attributes",
                "<message" + (0..<1_000).map { " a\($0)=''" }.joined() + "/>",
                "an element has more than \(attributes) attributes"),
            over(
                "a thousand namespaces",
                "<message" + (0..<1_000).map { " xmlns:a\($0)='urn:x'" }.joined() + "/>",
                "an element has more than \(attributes) attributes"),
        ]
    }

    private static func endless(
        _ stage: HostileRow.Stage, _ during: String, bytes: Int, attributes: Int, limit: HostileRow.Limit,
        attributeLimit: HostileRow.Limit
    ) -> [HostileRow] {
        func row(_ name: String, _ start: String, _ filler: String, _ what: String, _ limit: HostileRow.Limit)
            -> HostileRow
        {
            HostileRow(
                name, at: stage,
                .cannotRead(
                    "the server sent what is no XMPP\(during): over a limit (\(what))", error: "policy-violation"),
                within: limit
            ) {
                $0.connection.send(start)
                $0.connection.flood(filler)
            }
        }
        let large = "an element is larger than \(bytes) bytes"
        let tag = "a tag is larger than \(attributes) bytes"
        return [
            row("a text that never ends", "<message><body>", String(repeating: "x", count: 500), large, limit),
            row("children that never end", "<message>", "<a/><b xmlns='urn:x' c='d'>e</b>", large, limit),
            row("CDATA that never ends", "<message><body><![CDATA[", String(repeating: "x", count: 500), large, limit),
            row("blanks in a stanza that never end", "<message>", String(repeating: " ", count: 500), large, limit),
            row("an attribute that never ends", "<message to='", "xxxxxxxxxxxxxxxx", tag, attributeLimit),
            row("a name that never ends", "<", "xxxxxxxxxxxxxxxx", tag, attributeLimit),
        ]
    }

    static let unreadable: [HostileRow] =
        rows(.opened, " " + mute, depth: 16, attributes: 32)
        + rows(.online, "", depth: 64, attributes: 64)
        + endless(
            .opened, " " + mute, bytes: 65_536, attributes: 16_384, limit: .beforeLogin,
            attributeLimit: .attributesBeforeLogin)
        + endless(
            .online, "", bytes: 1_048_576, attributes: 65_536, limit: .session, attributeLimit: .attributes)
}
