import BellhopUnicode
import Testing

@Suite("Domains")
struct DomainTests {
    @Test(
        "a domain takes its one form, in Unicode and in ASCII",
        arguments: [
            ("example.com", "example.com", "example.com"), ("EXAMPLE.com", "example.com", "example.com"),
            ("example.com.", "example.com", "example.com"), ("localhost", "localhost", "localhost"),
            ("a--b.example", "a--b.example", "a--b.example"), ("r3---x.example", "r3---x.example", "r3---x.example"),
            ("chat_server", "chat_server", "chat_server"), ("4chan.example", "4chan.example", "4chan.example"),
            ("müller.example", "müller.example", "xn--mller-kva.example"),
            ("MÜLLER.Example.", "müller.example", "xn--mller-kva.example"),
            ("mu\u{308}ller.example", "müller.example", "xn--mller-kva.example"),
            ("xn--mller-kva.example", "müller.example", "xn--mller-kva.example"),
            ("XN--MLLER-KVA.example", "müller.example", "xn--mller-kva.example"),
            // Nontransitional: sharp s, final sigma and the joiners stay.
            ("faß.example", "faß.example", "xn--fa-hia.example"),
            ("βόλος.com", "βόλος.com", "xn--nxasmm1c.com"),
            ("例え。テスト", "例え.テスト", "xn--r8jz45g.xn--zckzah"),
            ("例え．テスト｡", "例え.テスト", "xn--r8jz45g.xn--zckzah"),
            ("ｅｘａｍｐｌｅ．ｃｏｍ", "example.com", "example.com"),
            ("☃.example", "☃.example", "xn--n3h.example"),
            ("שלום.example", "שלום.example", "xn--9dbne9b.example"),
            // Address literals.
            ("192.0.2.1", "192.0.2.1", "192.0.2.1"), ("192.0.2.1.", "192.0.2.1", "192.0.2.1"),
            ("[2001:DB8:0:0::1]", "[2001:db8::1]", "[2001:db8::1]"), ("[::1]", "[::1]", "[::1]"),
        ])
    func prepared(text: String, unicode: String, ascii: String) throws {
        #expect(scalars(try Preparation.domain(text)) == scalars(unicode))
        #expect(try Preparation.asciiDomain(text) == ascii)
        #expect(scalars(try Preparation.domain(unicode)) == scalars(unicode))
        #expect(scalars(try Preparation.domain(ascii)) == scalars(unicode))
    }

    @Test(
        "what is neither a host name nor an address is refused",
        arguments: [
            ("", PreparationFault.empty), (".", .empty), ("。", .empty), ("..", .invalidDomain), ("a..", .invalidDomain),
            ("a..b", .invalidDomain), (".a", .invalidDomain), ("-a", .invalidDomain), ("a-", .invalidDomain),
            ("a.-b.c", .invalidDomain), ("a b", .invalidDomain), ("a/b", .invalidDomain), ("a@b", .invalidDomain),
            ("a\0b", .invalidDomain), ("a:5222", .invalidDomain), ("é..b", .invalidDomain), ("é。。", .invalidDomain),
            ("é_b", .invalidDomain), ("é b", .invalidDomain), ("-é", .invalidDomain), ("a\u{2260}b", .invalidDomain),
            ("xn--a", .invalidDomain), ("xn--", .invalidDomain), ("xn--mller-kva-.x", .invalidDomain),
            ("xn--example-.com", .invalidDomain), ("\u{301}a", .invalidDomain), ("a\u{200d}b", .invalidDomain),
            ("a\u{202e}b", .invalidDomain), ("a\u{378}", .invalidDomain), ("a\u{2048}", .invalidDomain),
            ("אa.example", .bidi), ("1א", .bidi),
            ("1.2.3", .invalidDomain), ("1234", .invalidDomain), ("256.0.0.1", .invalidDomain),
            ("01.2.3.4", .invalidDomain), ("a.1", .invalidDomain), ("１.２.３", .invalidDomain),
            ("[::1", .invalidDomain), ("[]", .invalidDomain), ("[1.2.3.4]", .invalidDomain),
            ("[::1%lo]", .invalidDomain),
            ("[::g]", .invalidDomain), ("::1", .invalidDomain), ("[::1]x", .invalidDomain), ("[::1\0]", .invalidDomain),
        ])
    func refused(text: String, fault: PreparationFault) {
        #expect(throws: fault) { try Preparation.domain(text) }
        #expect(throws: fault) { try Preparation.asciiDomain(text) }
    }

    @Test("a label holds 63 bytes and a name 253, as DNS counts")
    func lengths() throws {
        let label = String(repeating: "a", count: 63)
        #expect(try Preparation.domain(label) == label)
        #expect(throws: PreparationFault.domainTooLong) { try Preparation.domain(label + "a") }
        let longest = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        #expect(try Preparation.domain(longest) == longest)
        #expect(try Preparation.domain(longest + ".") == longest)
        #expect(throws: PreparationFault.domainTooLong) { try Preparation.domain(longest + "b") }
        // 60 letters are 63 bytes and more as an xn-- label.
        #expect(throws: PreparationFault.domainTooLong) { try Preparation.domain(String(repeating: "ü", count: 60)) }
        #expect(throws: PreparationFault.domainTooLong) { try Preparation.domain("ü." + longest) }
    }

    @Test(
        "an address literal is told from a name",
        arguments: [
            ("127.0.0.1", AddressLiteral.ipv4("127.0.0.1")), ("[::1]", .ipv6("::1")),
            ("[0:0:0:0:0:0:0:1]", .ipv6("::1")), ("::1", nil), ("example.com", nil), ("1.2.3", nil), ("1.2.3.4.5", nil),
            ("1.2.3.+4", nil), ("1.2.3.٤", nil), ("", nil), ("[", nil), ("]", nil), ("1.2.3.", nil),
        ])
    func literals(text: String, literal: AddressLiteral?) {
        #expect(AddressLiteral(text) == literal)
    }

    @Test("the address of a literal has no brackets, its text has")
    func literalForms() {
        #expect(AddressLiteral("[::1]")?.address == "::1")
        #expect(AddressLiteral("[::1]")?.text == "[::1]")
        #expect(AddressLiteral("127.0.0.1")?.address == "127.0.0.1")
    }
}
