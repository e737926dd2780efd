import BellhopCrypto

/// SASL's elements as text.
enum SASL {
    static func auth(_ mechanism: String, _ message: String) -> String {
        "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='\(mechanism)'>\(encoded(message))</auth>"
    }

    static func element(_ name: String, _ message: String = "") -> String {
        "<\(name) xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(encoded(message))</\(name)>"
    }

    static func mechanisms(_ names: String...) -> String {
        let list = names.map { "<mechanism>\($0)</mechanism>" }.joined()
        return "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(list)</mechanisms>"
    }

    static func encoded(_ message: String) -> String { Base64.encode(Array(message.utf8)) }
}
