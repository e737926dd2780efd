internal import BellhopCrypto
internal import BellhopXML
internal import BellhopXMPP

/// Small data that comes within a stanza, named after its hash (XEP-0231).
enum BitsOfBinary {
    /// The data of that name, or nil where it is not there, is no base64, or has another hash than its name says.
    static func content(_ id: String, in element: Element) -> (type: String, bytes: [UInt8])? {
        guard let hash = sha1(in: id),
            let data = element.children.first(where: { $0.is("data", Namespace.bitsOfBinary) && $0["cid"] == id }),
            let bytes = Base64.decode(String(data.text.filter { !$0.isWhitespace })),
            !bytes.isEmpty, hexadecimal(Hash.sha1.digest(bytes)) == hash
        else { return nil }
        return (String((data["type"] ?? "application/octet-stream").prefix(100)), bytes)
    }

    /// `sha1+HEX@bob.xmpp.org`; other hashes are not in use.
    private static func sha1(in id: String) -> String? {
        guard id.hasPrefix("sha1+"), let end = id.firstIndex(of: "@") else { return nil }
        return id[..<end].dropFirst(5).lowercased()
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
