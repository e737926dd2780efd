internal import BellhopCrypto

/// The server's side of SCRAM (RFC 5802), written for itself so that the client's mistakes are not shared.
struct SCRAMVerifier {
    private let hash: Hash
    private let password: String
    private let clientNonce: String
    private let clientFirstBare: String
    private var serverFirst = ""
    private var nonce = ""
    private var salt: [UInt8] = []
    private let iterations = 4_096

    static func hash(of mechanism: String) -> Hash? {
        switch mechanism {
        case "SCRAM-SHA-1": .sha1
        case "SCRAM-SHA-256": .sha256
        case "SCRAM-SHA-512": .sha512
        default: nil
        }
    }

    /// Reads the client's first message, which must be for this user and without channel binding.
    init?(_ clientFirst: [UInt8], user: String, password: String, hash: Hash) {
        guard let text = String(validating: clientFirst, as: UTF8.self), text.hasPrefix("n,,") || text.hasPrefix("y,,")
        else {
            return nil
        }
        clientFirstBare = String(text.dropFirst(3))
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

    mutating func challenge(nonce: String, salt: [UInt8]) -> [UInt8] {
        self.nonce = clientNonce + nonce
        self.salt = salt
        serverFirst = "r=\(self.nonce),s=\(Base64.encode(salt)),i=\(iterations)"
        return Array(serverFirst.utf8)
    }

    /// The server's signature, when the client's proof is right.
    func verify(_ clientFinal: [UInt8]) -> [UInt8]? {
        guard let text = String(validating: clientFinal, as: UTF8.self) else { return nil }
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0] == "c=biws" || fields[0] == "c=eSws", fields[1] == "r=" + nonce,
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
