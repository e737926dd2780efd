import BellhopXMPP
import Testing

@Suite("Credentials")
struct CredentialsTests {
    @Test(
        "user and password are prepared by SASLprep",
        arguments: [
            ("pencil", "pencil"), ("I\u{AD}X", "IX"), ("\u{2168}", "IX"), ("USER", "USER"), ("a\u{A0}b", "a b"),
            (" two  words ", " two  words "), ("pâ\u{301}ss", "pấss"),
        ])
    func prepared(raw: String, prepared: String) throws {
        let credentials = try Credentials(user: "bot", password: raw)
        #expect(credentials.password == Array(prepared.utf8))
        #expect(try Credentials(user: raw, password: "x").user == prepared)
    }

    @Test(
        "what cannot be prepared is named, without a character of it",
        arguments: [
            ("bot", "", CredentialsFault.emptyPassword), ("bot", "\u{AD}", .emptyPassword),
            ("bot", "a\u{7}b", .password),
            ("bot", "\u{627}1", .password), ("", "x", .user), ("\u{AD}", "x", .user), ("a\u{7}", "x", .user),
        ])
    func refused(user: String, password: String, fault: CredentialsFault) {
        #expect(throws: fault) { try Credentials(user: user, password: password) }
    }

    @Test("the password is never printed")
    func silent() throws {
        let credentials = try Credentials(user: "bot", password: "pencil")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in [dumped, "\(credentials)", String(reflecting: credentials), String(describing: [credentials])] {
            #expect(text.contains("bot"))
            #expect(!text.contains("pencil") && !text.contains("112"))
        }
    }
}
