internal import BellhopCrypto

/// The server's side of SCRAM (RFC 5802), written for itself so that the client's mistakes are not shared.
struct SCRAMVerifier {
    private let hash: Hash
    private let password: String
    private let clientNonce: String
    private let clientFirstBare: String
    /// What the client has to repeat in base64: its header, and the binding's data behind it.
    private let bound: [UInt8]
    private var serverFirst = ""
    private var nonce = ""
    private var salt: [UInt8] = []
    private let iterations = 4_096

    static func hash(of mechanism: String) -> Hash? {
        switch mechanism {
        case "SCRAM-SHA-1", "SCRAM-SHA-1-PLUS": .sha1
        case "SCRAM-SHA-256", "SCRAM-SHA-256-PLUS": .sha256
        case "SCRAM-SHA-512", "SCRAM-SHA-512-PLUS": .sha512
        default: nil
        }
    }

    /// Reads the client's first message, which must be for this user, and with a -PLUS mechanism bound to one of these types.
    init?(
        _ clientFirst: [UInt8], user: String, password: String, mechanism: String, bindings: [String: [UInt8]] = [:]
    ) {
        guard let text = String(validating: clientFirst, as: UTF8.self), let hash = Self.hash(of: mechanism) else {
            return nil
        }
        let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty else { return nil }
        var data: [UInt8] = []
        if mechanism.hasSuffix("-PLUS") {
            guard parts[0].hasPrefix("p="), let known = bindings[String(parts[0].dropFirst(2))] else { return nil }
            data = known
        } else {
            guard parts[0] == "n" || parts[0] == "y" else { return nil }
        }
        bound = Array("\(parts[0]),,".utf8) + data
        clientFirstBare = String(parts[2])
        let fields = clientFirstBare.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count >= 2, fields[0].hasPrefix("n="), fields[1].hasPrefix("r="), fields[1].count > 2 else {
            return nil
        }
        var name = ""
        for character in user { name += character == "," ? "=2C" : character == "=" ? "=3D" : String(character) }
        guard fields[0].dropFirst(2) == name else { return nil }
        clientNonce = String(fields[1].dropFirst(2))
        self.password = password
        self.hash = hash
    }

    /// The server's first message; `offer` is what it says that it offered, to be hashed (XEP-0474).
    mutating func challenge(nonce: String, salt: [UInt8], offer: String? = nil) -> [UInt8] {
        self.nonce = clientNonce + nonce
        self.salt = salt
        serverFirst = "r=\(self.nonce),s=\(Base64.encode(salt)),i=\(iterations)"
        if let offer { serverFirst += ",h=" + Base64.encode(hash.digest(Array(offer.utf8))) }
        return Array(serverFirst.utf8)
    }

    /// The server's signature, when the client's proof is right.
    func verify(_ clientFinal: [UInt8]) -> [UInt8]? {
        guard let text = String(validating: clientFinal, as: UTF8.self) else { return nil }
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0] == "c=" + Base64.encode(bound), fields[1] == "r=" + nonce,
            fields[2].hasPrefix("p="), let proof = Base64.decode(String(fields[2].dropFirst(2))),
            proof.count == hash.size
        else { return nil }
        let message = Array("\(clientFirstBare),\(serverFirst),\(fields[0]),\(fields[1])".utf8)
        let salted = hash.pbkdf2(password: Array(password.utf8), salt: salt, iterations: iterations)
        let storedKey = hash.digest(hash.hmac(key: salted, Array("Client Key".utf8)))
        let clientKey = zip(proof, hash.hmac(key: storedKey, message)).map { $0 ^ $1 }
        guard hash.digest(clientKey) == storedKey else { return nil }
        let serverKey = hash.hmac(key: salted, Array("Server Key".utf8))
        return Array("v=\(Base64.encode(hash.hmac(key: serverKey, message)))".utf8)
    }
}
