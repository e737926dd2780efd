package import BellhopCrypto
package import BellhopXMPP

/// The client's side of a SCRAM login: four messages after which each side knows that the other knows the password
/// (RFC 5802, RFC 7677).
///
/// Messages are the bare ones, without base64 and without XML.
package struct SCRAMExchange: Equatable, Sendable {
    /// What to do after a message of the server.
    package enum Step: Equatable, Sendable {
        case respond([UInt8])
        /// Both sides are proved; the keys can serve the next login.
        case succeed(SCRAMKeys)
        case fail(SCRAMFault)
    }

    private enum State: Equatable, Sendable {
        /// Our first message is out. Next: `proving`, or `failed`.
        case greeting
        /// Our proof is out. Next: `proved` on a challenge with the server's proof, `finished` on a success with it, or `failed`.
        case proving(signature: [UInt8], SCRAMKeys)
        /// The server proved itself in a challenge. Next: `finished` on its success, or `failed`.
        case proved(signature: [UInt8], SCRAMKeys)
        case finished
        case failed
    }

    private let hash: Hash
    private let credentials: Credentials
    private let nonce: String
    private let binding: ChannelBinding
    private let offer: SASLOffer?
    private let bounds: SCRAMBounds
    private let remembered: SCRAMKeys?
    private var state = State.greeting

    /// - Parameters:
    ///   - nonce: At least 128 random bits as printable ASCII without a comma, like base64.
    ///   - offer: What the server offered, as it came here; compared with what the server says it was, if it does.
    ///   - remembered: The keys of an earlier login; used only if hash, password, salt and iteration count are the same.
    package init(
        hash: Hash, credentials: Credentials, nonce: String, binding: ChannelBinding = .unsupported,
        offer: SASLOffer? = nil, bounds: SCRAMBounds = SCRAMBounds(), remembered: SCRAMKeys? = nil
    ) {
        self.hash = hash
        self.credentials = credentials
        self.nonce = nonce
        self.binding = binding
        self.offer = offer
        self.bounds = bounds
        self.remembered = remembered
    }

    /// The message that opens the exchange.
    package var firstMessage: [UInt8] { Array((binding.header + firstMessageBare).utf8) }

    private var firstMessageBare: String { "n=\(escaped(credentials.user)),r=\(nonce)" }

    /// A comma or an equals sign in a name would end it (RFC 5802 section 5.1).
    private func escaped(_ name: String) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case ",": escaped += "=2C"
            case "=": escaped += "=3D"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The server sent a challenge: its first message, or its proof.
    package mutating func receivedChallenge(_ message: [UInt8]) -> Step {
        switch state {
        case .greeting: return prove(message)
        case .proving(let signature, let keys):
            if let fault = fault(in: message, signature) { return fail(fault) }
            state = .proved(signature: signature, keys)
            return .respond([])
        case .proved, .finished, .failed: return fail(.unexpected)
        }
    }

    /// The server said that we are logged in, with or without its proof.
    package mutating func receivedSuccess(_ message: [UInt8]?) -> Step {
        switch state {
        case .greeting: return fail(.noProof)
        case .proving(let signature, let keys):
            guard let message, !message.isEmpty else { return fail(.noProof) }
            return finish(message, signature, keys)
        case .proved(let signature, let keys):
            guard let message, !message.isEmpty else {
                state = .finished
                return .succeed(keys)
            }
            return finish(message, signature, keys)
        case .finished, .failed: return fail(.unexpected)
        }
    }

    private mutating func finish(_ message: [UInt8], _ signature: [UInt8], _ keys: SCRAMKeys) -> Step {
        if let fault = fault(in: message, signature) { return fail(fault) }
        state = .finished
        return .succeed(keys)
    }

    private mutating func fail(_ fault: SCRAMFault) -> Step {
        state = .failed
        return .fail(fault)
    }

    private mutating func prove(_ message: [UInt8]) -> Step {
        let greeting: SCRAMGreeting
        do {
            greeting = try SCRAMGreeting(message, nonce: nonce, bounds: bounds)
        } catch {
            return fail(error)
        }
        if let hashed = greeting.offer, let offer, hashed != hash.digest(offer.announcement) {
            return fail(.offerChanged)
        }
        let origin = SCRAMKeys.Origin(
            hash: hash, password: credentials.password, salt: greeting.salt, iterations: greeting.iterations)
        let keys: SCRAMKeys
        if let remembered, remembered.origin == origin { keys = remembered } else { keys = SCRAMKeys(origin) }

        let bound = Base64.encode(Array(binding.header.utf8) + binding.data)
        let unproved = "c=\(bound),r=\(greeting.nonce)"
        let transcript = Array(firstMessageBare.utf8) + [comma] + message + [comma] + Array(unproved.utf8)
        let signature = hash.hmac(key: hash.digest(keys.client), transcript)
        let proof = zip(keys.client, signature).map { $0 ^ $1 }
        state = .proving(signature: hash.hmac(key: keys.server, transcript), keys)
        return .respond(Array("\(unproved),p=\(Base64.encode(proof))".utf8))
    }

    /// What is wrong with the server's last message; nil when it carries the right proof.
    private func fault(in message: [UInt8], _ signature: [UInt8]) -> SCRAMFault? {
        guard let attributes = SCRAMAttribute.list(message), let first = attributes.first else { return .malformed }
        switch first.name {
        case "e": return .serverError(first.boundedValue)
        case "v":
            guard let proof = Base64.decode(first.value) else { return .malformed }
            return constantTimeEqual(proof, signature) ? nil : .wrongProof
        default: return .noProof
        }
    }

    private var comma: UInt8 { UInt8(ascii: ",") }
}
