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

    @Test("one that is as short as a syllable stays, and so does a text without a secret")
    func short() {
        #expect(Secret("pw").cut(from: "pw is pw") == "pw is pw")
        #expect(Secret("").cut(from: "nothing") == "nothing")
    }
}
