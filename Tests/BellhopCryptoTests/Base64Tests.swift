import BellhopCrypto
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "RFC 4648's examples go both ways",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func examples(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test("every byte in every position survives", arguments: 0..<3)
    func everyByte(before: Int) {
        for byte in UInt8.min...UInt8.max {
            let bytes = [UInt8](repeating: 0xa5, count: before) + [byte]
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test(
        "what is not strict base64 is refused",
        arguments: [
            " Zm9v", "Zm9v\n", "Zm 9v", "Zm9", "Zg=", "Zg", "Z", "Z===", "====", "==", "=", "Zg==Zg==", "Z=g=", "=Zg=",
            "Zm9v====", "Zm-_", "Zm9ü", "Zh==", "Zm9=", "\0\0\0\0", "Zg==\0",
        ])
    func refused(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}

@Suite("SecureRandom and constantTimeEqual")
struct RandomTests {
    @Test("as many bytes come as were asked for", arguments: [-1, 0, 1, 16, 4096])
    func counts(count: Int) throws {
        #expect(try SecureRandom.bytes(count).count == max(0, count))
    }

    @Test("two draws differ")
    func draws() throws {
        #expect(try SecureRandom.bytes(32) != SecureRandom.bytes(32))
    }

    @Test("more bytes than OpenSSL can count are refused, not allocated")
    func tooMany() {
        #expect(throws: SecureRandomFault.tooMany(.max)) { try SecureRandom.bytes(.max) }
    }

    @Test("equal means equal in every byte and in length")
    func equality() {
        #expect(constantTimeEqual([], []))
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        for index in 0..<3 {
            var other: [UInt8] = [1, 2, 3]
            other[index] ^= 0x80
            #expect(!constantTimeEqual([1, 2, 3], other))
        }
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(!constantTimeEqual([], [0]))
    }
}
