import BellhopCrypto

@testable import BellhopTestServer

/// Looks for secrets in what a client said, in base64 as well.
struct SecretSearch {
    let user: String
    let password: String

    /// The most telling thing in these bytes.
    func told(in bytes: [UInt8]) -> HostileRow.Told {
        let text = String(decoding: bytes, as: UTF8.self)
        let hidden = Self.decoded(text)
        if ([text] + hidden).contains(where: { $0.contains(password) }) { return .password }
        if hidden.contains(where: { $0.contains(",p=") }) { return .proof }
        return ([text] + hidden).contains { $0.contains(user) } ? .name : .nothing
    }

    /// Everything in the text that can be taken for base64, decoded.
    private static func decoded(_ text: String) -> [String] {
        text.utf8.split { byte in !isBase64(byte) }.filter { $0.count >= 8 }.compactMap { word in
            Base64.decode(String(decoding: word, as: UTF8.self)).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
