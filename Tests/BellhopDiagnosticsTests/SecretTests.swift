import BellhopDiagnostics
import Testing

@Suite("Secrets")
struct SecretTests {
    @Test("a secret that somebody else says back is cut out, wherever it stands")
    func cut() {
        let secret = Secret("hunter2-long")
        #expect(secret.cut(from: "bad password hunter2-long, hunter2-long!") == "bad password •••, •••!")
        #expect(secret.cut(from: "bad password") == "bad password")
    }

    @Test("of a sentence only what is quoted loses it, however the quotation is nested")
    func quotation() {
        let secret = Secret("wrong")
        let sentence = "the password is wrong: \u{201C}wrong\u{201D} is wrong\u{201D}; mend what is wrong"
        #expect(
            secret.cut(fromQuotationsIn: sentence)
                == "the password is wrong: \u{201C}•••\u{201D} is •••\u{201D}; mend what is wrong")
        #expect(secret.cut(fromQuotationsIn: "it is wrong") == "it is wrong")
        #expect(secret.cut(fromQuotationsIn: "\u{201D}wrong\u{201C}") == "\u{201D}wrong\u{201C}")
    }

    @Test("one that is as short as a syllable stays, and so does a text without a secret")
    func short() {
        #expect(Secret("pw").cut(from: "pw is pw") == "pw is pw")
        #expect(Secret("").cut(from: "nothing") == "nothing")
    }
}
