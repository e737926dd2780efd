internal import BellhopCrypto
package import BellhopXML
package import BellhopXMPP

/// One login with one mechanism (RFC 6120 section 6). A failure is final: no weaker mechanism is ever tried after it.
package struct SASLNegotiation: Equatable, Sendable {
    /// What to do after an element of the server.
    package enum Step: Equatable, Sendable {
        case send(Element)
        /// Logged in; the keys, when there are any, can serve the next login.
        case succeed(SCRAMKeys?)
        case fail(SASLFailure)
    }

    private enum State: Equatable, Sendable {
        /// A SCRAM exchange is under way. Next: `finished`.
        case proving(SCRAMExchange)
        /// The password is out. Next: `finished`.
        case plain
        case finished
    }

    package let mechanism: SASLMechanism
    private let initialResponse: [UInt8]
    private var state: State

    /// The strongest of the usable mechanisms that the server offers; nil when there is none.
    package static func choose(offered: [String], usable: [SASLMechanism]) -> SASLMechanism? {
        SASLMechanism.allCases.first { usable.contains($0) && offered.contains($0.rawValue) }
    }

    package init(
        _ mechanism: SASLMechanism, credentials: Credentials, nonce: String, bounds: SCRAMBounds = SCRAMBounds(),
        remembered: SCRAMKeys? = nil
    ) {
        self.mechanism = mechanism
        if let hash = mechanism.hash {
            let exchange = SCRAMExchange(
                hash: hash, credentials: credentials, nonce: nonce, bounds: bounds, remembered: remembered)
            initialResponse = exchange.firstMessage
            state = .proving(exchange)
        } else {
            initialResponse = [0] + Array(credentials.user.utf8) + [0] + credentials.password
            state = .plain
        }
    }

    /// The element that opens the login.
    package var firstElement: Element {
        Element("auth", namespace: Namespace.sasl, attributes: [Element.Attribute("mechanism", mechanism.rawValue)])
            .with(text: Base64.encode(initialResponse))
    }

    /// The server answered; takes as long as the server's iteration count when the element is a SCRAM challenge.
    package mutating func received(_ element: Element) -> Step {
        guard element.namespace == Namespace.sasl else { return unexpected(element) }
        switch state {
        case .proving(var exchange):
            let step: SCRAMExchange.Step
            switch (element.name, Payload(element)) {
            case ("challenge", .bytes(let message)): step = exchange.receivedChallenge(message)
            case ("challenge", .absent): step = exchange.receivedChallenge([])
            case ("success", .bytes(let message)): step = exchange.receivedSuccess(message)
            case ("success", .absent): step = exchange.receivedSuccess(nil)
            case ("challenge", .malformed), ("success", .malformed): step = .fail(.malformed)
            case ("failure", _): return refused(element)
            default: return unexpected(element)
            }
            state = .proving(exchange)
            return carryOut(step)
        case .plain:
            switch element.name {
            case "success":
                state = .finished
                return .succeed(nil)
            case "failure": return refused(element)
            default: return unexpected(element)
            }
        case .finished: return unexpected(element)
        }
    }

    private mutating func carryOut(_ step: SCRAMExchange.Step) -> Step {
        switch step {
        case .respond(let message):
            let response = Element("response", namespace: Namespace.sasl)
            return .send(message.isEmpty ? response : response.with(text: Base64.encode(message)))
        case .succeed(let keys):
            state = .finished
            return .succeed(keys)
        case .fail(let fault): return fail(.serverNotGenuine(fault))
        }
    }

    private mutating func fail(_ failure: SASLFailure) -> Step {
        state = .finished
        return .fail(failure)
    }

    private mutating func refused(_ element: Element) -> Step {
        let condition = element.children.first { $0.namespace == Namespace.sasl && $0.name != "text" }
        let text = element.child("text", Namespace.sasl)?.text
        return fail(.refused(SASLCondition(condition?.name ?? "undefined"), text: text.flatMap(Self.bounded)))
    }

    private mutating func unexpected(_ element: Element) -> Step {
        fail(.unexpected(String(element.name.prefix(100))))
    }

    /// The server's words, cut where they would flood a log line; nil when there are none.
    private static func bounded(_ text: String) -> String? {
        text.isEmpty ? nil : String(text.prefix(300))
    }
}

/// What a challenge or a success carries.
private enum Payload {
    case absent
    case bytes([UInt8])
    /// Text that is no base64.
    case malformed

    /// A lone `=` stands for an empty message (RFC 6120 section 6.4.2); white space around base64 is no part of it.
    init(_ element: Element) {
        let blank = Array(" \n\r\t".utf8)
        let text = String(decoding: element.text.utf8.filter { !blank.contains($0) }, as: UTF8.self)
        switch text {
        case "": self = .absent
        case "=": self = .bytes([])
        default: self = Base64.decode(text).map(Payload.bytes) ?? .malformed
        }
    }
}
