import BellhopEngine
import Testing

/// SASL2's elements as text.
enum SASL2 {
    static let namespace = "urn:xmpp:sasl:2"
    static let bound = "<bound xmlns='urn:xmpp:bind:0'/>"
    static let agent = "<user-agent id='d4565fa7-4d72-4749-b3d3-740edbf87770'><software>Bellhop</software></user-agent>"
    static let resume = "<resume xmlns='urn:xmpp:sm:3' h='7' previd='broken'/>"
    static let bind = """
        <bind xmlns='urn:xmpp:bind:0'><tag>bellhop</tag><enable xmlns='urn:xmpp:sm:3' resume='true' max='600'/></bind>
        """
    static let all = "<sm xmlns='urn:xmpp:sm:3'/>" + binding("urn:xmpp:carbons:2", "urn:xmpp:sm:3")
    /// What Prosody lists after a login that has bound.
    static let afterwards = ServerDialogueTests.prosodyAfterLogin

    /// What a client wants that may bind.
    static let wish = SASL2Wish(userAgent: "d4565fa7-4d72-4749-b3d3-740edbf87770", binds: true)

    static func binding(_ features: String...) -> String {
        let list = features.map { "<feature var='\($0)'/>" }.joined()
        return "<bind xmlns='urn:xmpp:bind:0'><inline>\(list)</inline></bind>"
    }

    static func features(_ mechanisms: String..., inline: String = all) -> String {
        let list = mechanisms.map { "<mechanism>\($0)</mechanism>" }.joined()
        return "<authentication xmlns='\(namespace)'>\(list)<inline>\(inline)</inline></authentication>"
    }

    static func authenticate(_ mechanism: String, _ message: String, _ requests: String) -> String {
        "<authenticate xmlns='\(namespace)' mechanism='\(mechanism)'>"
            + "<initial-response>\(SASL.encoded(message))</initial-response>\(requests)</authenticate>"
    }

    static func element(_ name: String, _ message: String) -> String {
        "<\(name) xmlns='\(namespace)'>\(SASL.encoded(message))</\(name)>"
    }

    /// A success with the server's proof, the address, and more.
    static func success(_ proof: String?, as jid: String = "alice@example.test/bellhop~x1", _ more: String = "")
        -> String
    {
        let data = proof.map { "<additional-data>\(SASL.encoded($0))</additional-data>" } ?? ""
        return
            "<success xmlns='\(namespace)'>\(data)<authorization-identifier>\(jid)</authorization-identifier>\(more)</success>"
    }
}

extension Dialogue {
    /// From a connection under TLS to the proof of ours that the server has to answer.
    mutating func proves(
        _ features: String = SASL2.features("SCRAM-SHA-256"), requests: String = SASL2.agent + SASL2.bind
    ) throws {
        happened(.connected(encrypted: true))
        _ = pending.popLast()
        try serverOpens(features)
        try client(SASL2.authenticate("SCRAM-SHA-256", SCRAMVector.prosody.clientFirst, requests))
        try server(SASL2.element("challenge", SCRAMVector.prosody.serverFirst))
        try client(SASL2.element("response", SCRAMVector.prosody.clientFinal))
        expectNothing()
    }

    mutating func succeeds(as jid: String = "alice@example.test/bellhop~x1", _ more: String) throws {
        try server(SASL2.success(SCRAMVector.prosody.serverFinal, as: jid, more))
        _ = expectKeys()
    }

    mutating func serverLists(_ features: String) throws {
        try server("<features xmlns='http://etherx.jabber.org/streams'>\(features)</features>")
    }
}
