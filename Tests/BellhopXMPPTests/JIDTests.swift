import BellhopXMPP
import Testing

@Suite("JID")
struct JIDTests {
    /// An address, and its parts after preparation.
    struct Readable: Sendable, CustomTestStringConvertible {
        let text: String
        let local: String?
        let domain: String
        let resource: String?

        init(_ text: String, _ local: String?, _ domain: String, _ resource: String?) {
            self.text = text
            self.local = local
            self.domain = domain
            self.resource = resource
        }

        var testDescription: String { text }
    }

    static let readable: [Readable] = [
        // The four shapes.
        Readable("alice@example.test/phone", "alice", "example.test", "phone"),
        Readable("alice@example.test", "alice", "example.test", nil),
        Readable("example.test/announce", nil, "example.test", "announce"),
        Readable("example.test", nil, "example.test", nil),
        // The first slash cuts, and only then the first @ before it.
        Readable("ops@rooms.example.test/a@b.example", "ops", "rooms.example.test", "a@b.example"),
        Readable("ops@rooms.example.test/x/y", "ops", "rooms.example.test", "x/y"),
        Readable("example.test/a@b", nil, "example.test", "a@b"),
        Readable("rooms.example.test/Alice Miller", nil, "rooms.example.test", "Alice Miller"),
        // Preparation: local part and domain lose their case, the resource keeps it.
        Readable("Alice@Example.TEST/Phone", "alice", "example.test", "Phone"),
        Readable("alice@example.test.", "alice", "example.test", nil),
        Readable("alice@example.test./x", "alice", "example.test", "x"),
        Readable("ＡＬＩＣＥ@example.test", "alice", "example.test", nil),
        Readable("JU\u{308}RGEN@example.test", "jürgen", "example.test", nil),
        Readable("jürgen@xn--mnchen-3ya.example", "jürgen", "münchen.example", nil),
        Readable("a@MÜNCHEN.example", "a", "münchen.example", nil),
        Readable("a@example.test/\u{3A9}\u{301}", "a", "example.test", "\u{38F}"),
        // Addresses of hosts, and local parts that only look odd.
        Readable("opsbot@192.0.2.10", "opsbot", "192.0.2.10", nil),
        Readable("opsbot@[2001:db8::1]", "opsbot", "[2001:db8::1]", nil),
        Readable("a!#$%()*+,-.;=?[\\]^_`{|}~@example.test", "a!#$%()*+,-.;=?[\\]^_`{|}~", "example.test", nil),
        Readable("carol\\20x\\40y@gateway.example.test", "carol\\20x\\40y", "gateway.example.test", nil),
        Readable("a@localhost", "a", "localhost", nil),
    ]

    @Test("an address is cut into its parts and prepared", arguments: readable)
    func parts(address: Readable) throws {
        let jid = try JID(address.text)
        #expect(jid.local == address.local)
        #expect(jid.domain == address.domain)
        #expect(jid.resource == address.resource)
        #expect(jid.hasLocal == (address.local != nil))
        #expect(jid.isBare == (address.resource == nil))
        #expect(jid.bare.description == jid.bareText)
        #expect(jid == (try JID(received: address.text)))
    }

    @Test("what is written reads back as the same address", arguments: readable)
    func roundTrip(address: Readable) throws {
        let jid = try JID(address.text)
        let again = try JID(jid.description)
        #expect(again == jid)
        #expect(again.hashValue == jid.hashValue)
        #expect(again.description == jid.description)
        #expect(try JID(local: jid.local, domain: jid.domain, resource: jid.resource) == jid)
    }

    static let unreadable: [(text: String, error: JIDError, phrase: String)] = [
        ("", .empty, "it is empty"),
        ("@example.test", .emptyPart(.local), "nothing stands before the @"),
        ("alice@", .emptyPart(.domain), "the domain is missing"),
        ("alice@/phone", .emptyPart(.domain), "the domain is missing"),
        ("/phone", .emptyPart(.domain), "the domain is missing"),
        ("@", .emptyPart(.local), "nothing stands before the @"),
        ("alice@example.test/", .emptyPart(.resource), "nothing stands behind the /"),
        ("al ice@example.test", .forbidden(.local, " "), "the local part holds a space"),
        ("al\tice@example.test", .forbidden(.local, "\t"), "the local part holds a tab"),
        ("al:ice@example.test", .forbidden(.local, ":"), "the local part holds \":\""),
        ("al\"ice@example.test", .forbidden(.local, "\""), "the local part holds \"\"\""),
        ("al&ice@example.test", .forbidden(.local, "&"), "the local part holds \"&\""),
        ("al'ice@example.test", .forbidden(.local, "'"), "the local part holds \"'\""),
        ("<alice>@example.test", .forbidden(.local, "<"), "the local part holds \"<\""),
        // The full-width forms become the plain ones, and those would be cut elsewhere when read again.
        ("al\u{FF20}ice@example.test", .forbidden(.local, "@"), "the local part holds \"@\""),
        ("al\u{FF0F}ice@example.test", .forbidden(.local, "/"), "the local part holds \"/\""),
        ("alice@example.test/a\u{1}", .forbidden(.resource, "\u{1}"), "the resource holds the character U+0001"),
        ("alice@example test", .invalidDomain, "the domain is not a host name"),
        ("alice@b@example.test", .invalidDomain, "the domain is not a host name"),
        ("alice@example..test", .invalidDomain, "the domain is not a host name"),
        ("alice@-example.test", .invalidDomain, "the domain is not a host name"),
        ("alice@exa\u{2100}mple.test", .invalidDomain, "the domain is not a host name"),
    ]

    @Test("what is no address is refused with a phrase that says why", arguments: unreadable)
    func refused(text: String, error: JIDError, phrase: String) {
        #expect(throws: error) { try JID(text) }
        #expect(error.description == phrase)
    }

    @Test("a part may have 1023 bytes and not one more")
    func lengths() throws {
        let full = String(repeating: "a", count: 1023)
        #expect(try JID(full + "@example.test/" + full).resource == full)
        #expect(throws: JIDError.tooLong(.local)) { try JID(full + "a@example.test") }
        #expect(throws: JIDError.tooLong(.resource)) { try JID("a@example.test/a" + full) }
        #expect(throws: JIDError.tooLong(.resource)) { try JID(received: "a@example.test/a" + full) }
        let wide = String(repeating: "ä", count: 511)
        #expect(try JID(wide + "@example.test").local == wide)
        #expect(throws: JIDError.tooLong(.local)) { try JID(wide + "ä@example.test") }
        #expect(throws: JIDError.tooLong(.domain)) { try JID("a@" + String(repeating: "a", count: 64) + ".test") }
        #expect(throws: JIDError.tooLong(.domain)) { try JID("a@" + String(repeating: "a.", count: 200) + "test") }
        #expect(throws: JIDError.tooLong(.local)) { try JID(String(repeating: "é", count: 500_000) + "@b") }
    }

    @Test("a resource that cannot be prepared is kept as it came from the wire, and refused from us")
    func lenientResource() throws {
        let text = "alice@example.test/phone\u{7F}\u{E000}"
        #expect(try JID(received: text).resource == "phone\u{7F}\u{E000}")
        #expect(throws: JIDError.self) { try JID(text) }
        #expect(throws: JIDError.self) { try JID(received: "al ice@example.test/phone") }
        #expect(throws: JIDError.emptyPart(.resource)) { try JID(received: "alice@example.test/") }
    }

    @Test("an emoji is a fine resource")
    func emojiResource() throws {
        #expect(try JID("alice@example.test/☕️ 😀").resource == "☕️ 😀")
    }

    @Test("the same address in another spelling is equal, another resource is not")
    func equality() throws {
        #expect(try JID("Alice@Example.TEST") == JID("alice@example.test"))
        #expect(try JID("Alice@Example.TEST/Phone") != JID("alice@example.test/phone"))
        #expect(try JID("alice@example.test") != JID("alice@example.test/phone"))
        #expect(Set([try JID("A@b.test"), try JID("a@B.test")]).count == 1)
    }

    @Test("the resource can be changed and taken away")
    func withResource() throws {
        let jid = try JID("alice@example.test/phone")
        #expect(try jid.with(resource: "desk").description == "alice@example.test/desk")
        #expect(try jid.with(resource: nil) == jid.bare)
        #expect(throws: JIDError.emptyPart(.resource)) { try jid.with(resource: "") }
    }

    @Test("put together from parts, an address is checked part by part")
    func fromParts() throws {
        #expect(try JID(local: "Alice", domain: "Example.test").description == "alice@example.test")
        #expect(try JID(domain: "example.test", resource: "x").description == "example.test/x")
        #expect(throws: JIDError.forbidden(.local, "@")) { try JID(local: "a@b", domain: "example.test") }
        #expect(throws: JIDError.emptyPart(.local)) { try JID(local: "", domain: "example.test") }
        #expect(throws: JIDError.invalidDomain) { try JID(local: "a", domain: "example.test/x") }
        #expect(throws: JIDError.invalidDomain) { try JID(local: "a", domain: "b@example.test") }
    }

    @Test("sorted by bare address, the bare one before the full ones")
    func order() throws {
        let sorted = ["a@a.test", "a@a.test/a", "a@a.test/b", "a@b.test", "b@a.test/z"]
        #expect(try sorted.reversed().map { try JID($0) }.sorted().map(\.description) == sorted)
    }
}
