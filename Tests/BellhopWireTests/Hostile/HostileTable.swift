import BellhopCrypto

/// What hostile servers do, row by row; the files beside this one hold the rows.
enum HostileTable {
    static let rows = encryption + streams + unreadable + proofs + refusals + binding + sessions

    static let tls = "urn:ietf:params:xml:ns:xmpp-tls"
    static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"
    static let bindNamespace = "urn:ietf:params:xml:ns:xmpp-bind"
    static let startTLS = "<starttls xmlns='\(tls)'><required/></starttls>"
    static let bind = "<bind xmlns='\(bindNamespace)'/>"
    static let header =
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
        + "from='bots.example.test' id='s1' version='1.0'>"

    static func mechanisms(_ names: [String]) -> String {
        "<mechanisms xmlns='\(sasl)'>" + names.map { "<mechanism>\($0)</mechanism>" }.joined() + "</mechanisms>"
    }

    /// An element of SASL with this message inside.
    static func element(_ name: String, _ message: String) -> String {
        "<\(name) xmlns='\(sasl)'>\(Base64.encode(Array(message.utf8)))</\(name)>"
    }

    static func features(_ content: String) -> String { "<stream:features>\(content)</stream:features>" }

    static func streamError(_ condition: String, _ content: String = "") -> String {
        "<stream:error><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-streams'>\(content)</\(condition)></stream:error>"
    }
}
