import BellhopCrypto
import BellhopXML

/// The way in, played by hand.
extension RawClient {
    private static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"

    func authenticate(_ mechanism: String, user: String = "opsbot", password: String = "secret") throws {
        let hash: Hash
        switch mechanism {
        case "SCRAM-SHA-1": hash = .sha1
        case "SCRAM-SHA-256": hash = .sha256
        case "SCRAM-SHA-512": hash = .sha512
        default:
            let message = Base64.encode([0] + Array(user.utf8) + [0] + Array(password.utf8))
            try send("<auth xmlns='\(Self.sasl)' mechanism='\(mechanism)'>\(message)</auth>")
            return try expectSuccess()
        }
        let first = "n=\(user),r=fromtheclient"
        try send(
            "<auth xmlns='\(Self.sasl)' mechanism='\(mechanism)'>\(Base64.encode(Array("n,,\(first)".utf8)))</auth>")
        let answer = try element()
        let challenge = String(decoding: Base64.decode(answer.text) ?? [], as: UTF8.self)
        let fields = challenge.split(separator: ",").map { $0.dropFirst(2) }
        guard answer.name == "challenge", fields.count == 3, let salt = Base64.decode(String(fields[1])),
            let iterations = Int(fields[2])
        else { throw Failure.broke("challenge: \(challenge)") }
        let withoutProof = "c=biws,r=\(fields[0])"
        let message = Array("\(first),\(challenge),\(withoutProof)".utf8)
        let salted = hash.pbkdf2(password: Array(password.utf8), salt: salt, iterations: iterations)
        let key = hash.hmac(key: salted, Array("Client Key".utf8))
        let proof = zip(key, hash.hmac(key: hash.digest(key), message)).map { $0 ^ $1 }
        let final = Array("\(withoutProof),p=\(Base64.encode(proof))".utf8)
        try send("<response xmlns='\(Self.sasl)'>\(Base64.encode(final))</response>")
        let signature = hash.hmac(key: hash.hmac(key: salted, Array("Server Key".utf8)), message)
        try expectSuccess("v=\(Base64.encode(signature))")
    }

    private func expectSuccess(_ data: String = "") throws {
        let answer = try element()
        guard answer.is("success", Self.sasl), answer.text == Base64.encode(Array(data.utf8)) else {
            throw Failure.broke("no success: \(answer.serialized())")
        }
    }

    /// The whole login; returns the full JID.
    func login(_ mechanism: String = "PLAIN", tls: TLSContext? = nil) throws -> String {
        try openStream()
        if let tls {
            try startTLS(tls)
            try openStream()
        }
        try authenticate(mechanism)
        try openStream()
        let bind = "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>raw</resource></bind>"
        try send("<iq type='set' id='b'>\(bind)</iq>")
        let jid = try element().children.first?.children.first?.text ?? ""
        try send("<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>")
        _ = try element()
        try send("<presence/>")
        return jid
    }

    /// Answers the next ping.
    func answerPing() throws {
        let ping = try element()
        try send("<iq type='result' id='\(ping["id"] ?? "")'/>")
    }
}
