import BellhopCrypto
import Testing

@Suite("Hash")
struct HashTests {
    @Test(
        "a digest is that of the standard's example",
        arguments: [
            (Hash.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha512, "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
        ])
    func digests(hash: Hash, message: String, expected: String) {
        #expect(hex(hash.digest(Array(message.utf8))) == expected)
    }

    @Test("a digest is as long as the size says", arguments: Hash.allCases)
    func sizes(hash: Hash) {
        #expect(hash.digest([1, 2, 3]).count == hash.size)
        #expect(hash.hmac(key: [1], [2]).count == hash.size)
        #expect(hash.pbkdf2(password: [1], salt: [2], iterations: 1).count == hash.size)
    }

    @Test("HMAC gives the values of RFC 4231, of RFC 2202, and of an empty key", arguments: HMACExample.all)
    func hmac(example: HMACExample) {
        #expect(hex(example.hash.hmac(key: example.key, example.message)) == example.expected)
    }

    @Test(
        "PBKDF2 gives the values of RFC 6070, cut to a digest, and those of SCRAM's examples",
        arguments: [
            (Hash.sha1, "password", Array("salt".utf8), 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
            (.sha1, "password", Array("salt".utf8), 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
            (.sha1, "password", Array("salt".utf8), 4096, "4b007901b765489abead49d926f721d065a429c1"),
            (
                .sha1, "pencil", Base64.decode("QSXCR+Q6sek8bf92") ?? [], 4096,
                "1d96ee3a529b5a5f9e47c01f229a2cb8a6e15f7d"
            ),
            (
                .sha256, "pencil", Base64.decode("W22ZaJ0SNY7soEsUEjb6gQ==") ?? [], 4096,
                "c4a49510323ab4f952cac1fa99441939e78ea74d6be81ddf7096e87513dc615d"
            ),
        ])
    func pbkdf2(hash: Hash, password: String, salt: [UInt8], iterations: Int, expected: String) {
        let key = hash.pbkdf2(password: Array(password.utf8), salt: salt, iterations: iterations)
        #expect(hex(key) == expected)
    }

    @Test("PBKDF2 takes an empty password, an empty salt and a senseless count")
    func pbkdf2Edges() {
        let once = Hash.sha256.pbkdf2(password: [], salt: [], iterations: 1)
        #expect(once == Hash.sha256.hmac(key: [], [0, 0, 0, 1]))
        #expect(Hash.sha256.pbkdf2(password: [], salt: [], iterations: -5) == once)
        #expect(Hash.sha256.pbkdf2(password: [], salt: [], iterations: 2) != once)
    }
}

struct HMACExample: Sendable, CustomTestStringConvertible {
    let name: String
    let hash: Hash
    let key: [UInt8]
    let message: [UInt8]
    let expected: String
    var testDescription: String { name }

    static let all = [
        HMACExample(
            name: "RFC 4231 case 1", hash: .sha256, key: [UInt8](repeating: 0x0b, count: 20),
            message: Array("Hi There".utf8),
            expected: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        HMACExample(
            name: "RFC 4231 case 1, SHA-512", hash: .sha512, key: [UInt8](repeating: 0x0b, count: 20),
            message: Array("Hi There".utf8),
            expected: "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"),
        HMACExample(
            name: "RFC 4231 case 2", hash: .sha256, key: Array("Jefe".utf8),
            message: Array("what do ya want for nothing?".utf8),
            expected: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        HMACExample(
            name: "RFC 4231 case 6, a key longer than a block", hash: .sha256,
            key: [UInt8](repeating: 0xaa, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            expected: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        HMACExample(
            name: "RFC 2202 case 1", hash: .sha1, key: [UInt8](repeating: 0x0b, count: 20),
            message: Array("Hi There".utf8), expected: "b617318655057264e28bc0b6fb378c8ef146be00"),
        HMACExample(
            name: "empty key and message", hash: .sha256, key: [], message: [],
            expected: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ]
}

/// Lower-case hexadecimal digits, two a byte.
func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
