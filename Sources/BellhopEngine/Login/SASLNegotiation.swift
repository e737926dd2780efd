internal import BellhopCrypto
package import BellhopXML
package import BellhopXMPP

/// One login with one mechanism (RFC 6120 section 6, XEP-0388). A failure is final: no weaker mechanism is ever tried after it.
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
        /// All that there is to say is out: the password, or who the certificate is for. Next: `finished`.
        case told
        case finished
    }

    package let mechanism: SASLMechanism
    private let binding: ChannelBinding
    private let initialResponse: [UInt8]
    /// What is asked for along with the login where it is one of SASL2; nil for one of RFC 6120.
    let requests: InlineRequests?
    private var state: State

    /// - Parameters:
    ///   - offer: What the server offered, for it to be compared (XEP-0474).
    ///   - requests: What goes along with the login, which then is one of SASL2 (XEP-0388).
    ///   - identity: Whom to be, for a certificate that does not say it by itself; the account's bare address.
    package init(
        _ mechanism: SASLMechanism, credentials: Credentials, nonce: String, binding: ChannelBinding = .unsupported,
        offer: SASLOffer? = nil, requests: InlineRequests? = nil, identity: String = "",
        bounds: SCRAMBounds = SCRAMBounds(), remembered: SCRAMKeys? = nil
    ) {
        self.mechanism = mechanism
        self.requests = requests
        self.binding = binding
        if let hash = mechanism.hash {
            let exchange = SCRAMExchange(
                hash: hash, credentials: credentials, nonce: nonce, binding: binding, offer: offer, bounds: bounds,
                remembered: remembered)
            initialResponse = exchange.firstMessage
            state = .proving(exchange)
        } else if mechanism == .external {
            initialResponse = Array(identity.utf8)
            state = .told
        } else {
            initialResponse = [0] + Array(credentials.user.utf8) + [0] + credentials.password
            state = .told
        }
    }

    /// How whoever succeeds was logged in.
    package var method: LoginMethod { .sasl(mechanism, binding: binding.type) }

    /// The element that opens the login.
    package var firstElement: Element {
        if let requests {
            let response = Element("initial-response", namespace: Namespace.sasl2)
            let opening = Element("authenticate", namespace: Namespace.sasl2).with("mechanism", mechanism.rawValue)
                .with(initialResponse.isEmpty ? response : response.with(text: Base64.encode(initialResponse)))
            return requests.elements.reduce(opening) { $0.with($1) }
        }
        return Element(
            "auth", namespace: Namespace.sasl, attributes: [Element.Attribute("mechanism", mechanism.rawValue)]
        )
        .with(text: initialResponse.isEmpty ? "=" : Base64.encode(initialResponse))
    }

    /// The server answered; takes as long as the server's iteration count when the element is a SCRAM challenge.
    package mutating func received(_ element: Element) -> Step {
        guard element.namespace == namespace else { return unexpected(element) }
        if requests != nil, element.name == "continue", state != .finished { return fail(Self.tasks(element)) }
        switch state {
        case .proving(var exchange):
            let step: SCRAMExchange.Step
            switch (element.name, payload(of: element)) {
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
        case .told:
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
            let response = Element("response", namespace: namespace)
            return .send(message.isEmpty ? response : response.with(text: Base64.encode(message)))
        case .succeed(let keys):
            state = .finished
            return .succeed(keys)
        case .fail(.serverError(let word)): return fail(refusal(word))
        case .fail(let fault): return fail(.serverNotGenuine(fault))
        }
    }

    private mutating func fail(_ failure: SASLFailure) -> Step {
        state = .finished
        return .fail(failure)
    }

    private mutating func refused(_ element: Element) -> Step {
        let condition = element.children.first { $0.namespace == Namespace.sasl && $0.name != "text" }
        let text = (element.child("text", namespace) ?? element.child("text", Namespace.sasl))?.text
        return fail(
            refusal(SASLCondition(condition?.name ?? "undefined"), text: text.flatMap(Self.bounded)))
    }

    /// What a refusal means for this mechanism.
    private func refusal(_ condition: SASLCondition, text: String?) -> SASLFailure {
        switch condition {
        // Not about what was proved.
        case .temporaryAuthFailure, .accountDisabled, .credentialsExpired: return .refused(condition, text: text)
        case .aborted, .encryptionRequired, .incorrectEncoding, .invalidAuthzid, .invalidMechanism, .malformedRequest,
            .mechanismTooWeak, .notAuthorized, .other:
            if mechanism == .external { return .certificateRefused(condition, text: text) }
            guard let type = binding.type else { return .refused(condition, text: text) }
            return .bindingRefused(type, condition, text: text)
        }
    }

    /// What SCRAM's own word for a failure means (RFC 5802 section 7).
    private func refusal(_ word: String) -> SASLFailure {
        switch (word, binding) {
        case ("server-does-support-channel-binding", .notOffered): .bindingHidden
        case (
            "channel-bindings-dont-match", .bound(let type, _)
        ), ("channel-binding-not-supported", .bound(let type, _)),
            ("unsupported-channel-binding-type", .bound(let type, _)):
            .bindingRefused(type, .other(word), text: nil)
        default: .serverNotGenuine(.serverError(word))
        }
    }

    /// What the elements of the exchange belong to.
    var namespace: String { requests == nil ? Namespace.sasl : Namespace.sasl2 }

    /// With SASL2 the last message has an element of its own, and where it is missing there is none (XEP-0388 section 2.6).
    private func payload(of element: Element) -> SASLPayload {
        guard requests != nil else { return SASLPayload(element, blank: .absent) }
        guard element.name == "success" else { return SASLPayload(element, blank: .bytes([])) }
        return element.child("additional-data", Namespace.sasl2).map { SASLPayload($0, blank: .bytes([])) } ?? .absent
    }

    /// The server wants more than the proof (XEP-0388 section 2.6.3), by names of which we know none.
    static func tasks(_ element: Element) -> SASLFailure {
        let tasks = element.child("tasks", Namespace.sasl2)?.children ?? []
        return .tasksWanted(
            tasks.filter { $0.is("task", Namespace.sasl2) }.prefix(8).map { String($0.token.prefix(100)) })
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
enum SASLPayload: Equatable {
    case absent
    case bytes([UInt8])
    /// Text that is no base64.
    case malformed

    /// A lone `=` stands for an empty message (RFC 6120 section 6.4.2), `blank` is what no text at all stands for; white
    /// space around base64 is no part of it.
    init(_ element: Element, blank none: SASLPayload) {
        let blank = Array(" \n\r\t".utf8)
        let text = String(decoding: element.text.utf8.filter { !blank.contains($0) }, as: UTF8.self)
        switch text {
        case "": self = none
        case "=": self = .bytes([])
        default: self = Base64.decode(text).map(SASLPayload.bytes) ?? .malformed
        }
    }
}
