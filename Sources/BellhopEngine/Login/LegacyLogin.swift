internal import BellhopCrypto
package import BellhopXML
package import BellhopXMPP

/// A login with jabber:iq:auth, for servers that have nothing else (XEP-0078); it binds the resource, too.
///
/// The server proves nothing of itself, and a digest can be searched for the password at leisure: the operator has to ask
/// for it.
package struct LegacyLogin: Equatable, Sendable {
    /// How the password is shown.
    package enum Proof: String, Equatable, Sendable {
        /// As a hash with the stream's id.
        case digest
        case password
    }

    package enum Step: Equatable, Sendable {
        case send(Element)
        case succeed(Proof)
        case fail(NegotiationFailure)
    }

    private enum State: Equatable, Sendable {
        /// The server was asked what it wants to know. Next: `proving`, or `finished`.
        case asking
        /// Next: `finished`.
        case proving(Proof)
        case finished
    }

    private let credentials: Credentials
    private let resource: String
    private let streamID: String?
    private let allowsPlain: Bool
    private let domain: String
    private let idPrefix: String
    private var state = State.asking

    /// - Parameters:
    ///   - streamID: The `id` of the server's stream header; nil when it has none, and then no digest can be made.
    ///   - allowsPlain: Whether the password itself may be shown to the server here.
    init(_ plan: LoginPlan, resource: String, streamID: String?, allowsPlain: Bool) {
        credentials = plan.credentials
        self.resource = resource
        self.streamID = streamID
        self.allowsPlain = allowsPlain
        domain = plan.account.domain
        idPrefix = plan.idPrefix
    }

    /// The id of the request that waits for its answer.
    var pendingID: String {
        switch state {
        case .asking: idPrefix + "-fields"
        case .proving, .finished: idPrefix + "-auth"
        }
    }

    /// Asks which fields the server wants.
    var firstElement: Element {
        request("get", query.with(field("username", credentials.user)))
    }

    mutating func received(_ reply: IQReply) -> Step {
        switch (state, reply) {
        case (.asking, .result(let payload)): return prove(payload)
        case (.proving(let proof), .result):
            state = .finished
            return .succeed(proof)
        case (.asking, .error(let error)), (.proving, .error(let error)):
            state = .finished
            return .fail(Self.failure(error))
        case (.finished, _): return .fail(.unexpected(element: "iq", during: .login))
        }
    }

    private mutating func prove(_ fields: Element?) -> Step {
        func wants(_ name: String) -> Bool { fields?.child(name, Namespace.legacyLogin) != nil }
        let proof: Proof
        let shown: Element
        if wants("digest"), let streamID {
            proof = .digest
            // In lower case, of the stream's id and the password without anything between (XEP-0078 section 3).
            let hash = Hash.sha1.digest(Array(streamID.utf8) + credentials.password)
            shown = field("digest", hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        } else if wants("password"), allowsPlain {
            proof = .password
            shown = field("password", String(decoding: credentials.password, as: UTF8.self))
        } else {
            state = .finished
            return .fail(.login(.legacyShowsPassword))
        }
        state = .proving(proof)
        let answer = query.with(field("username", credentials.user)).with(shown).with(field("resource", resource))
        return .send(request("set", answer))
    }

    private func request(_ type: String, _ query: Element) -> Element {
        Element("iq", namespace: Namespace.client)
            .with("type", type).with("id", pendingID).with("to", domain).with(query)
    }

    private var query: Element { Element("query", namespace: Namespace.legacyLogin) }

    private func field(_ name: String, _ value: String) -> Element {
        Element(name, namespace: Namespace.legacyLogin).with(text: value)
    }

    /// XEP-0078 section 3.1 has three errors of its own; none of them is a SASL condition.
    private static func failure(_ error: StanzaError) -> NegotiationFailure {
        let text = error.text.map { String($0.prefix(300)) }
        switch error.condition {
        case .conflict: return .bindRefused(error)
        case .notAuthorized: return .login(.refused(.notAuthorized, text: text))
        default: return .login(.refused(.other(error.condition.rawValue), text: text))
        }
    }
}
