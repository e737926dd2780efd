internal import BellhopXML
internal import BellhopXMPP

/// What a client would have go along with a login by SASL2 (XEP-0388).
package struct SASL2Wish: Equatable, Sendable {
    /// A UUID by which the server knows this installation again; nil where there is none that lasts.
    package var userAgent: String?
    /// Whether the resource may be bound along with the login.
    ///
    /// The server then throws away what it kept for the account while it was offline, so only where that will be read from
    /// the archive (XEP-0386 section 3).
    package var binds: Bool
    /// Whether stream management is wanted.
    package var managesStream: Bool
    /// The tokens of earlier logins; nil where tokens are neither used nor asked for (XEP-0484).
    package var tokens: LoginTokens?
    /// Whether one of them may be shown now; else they are only kept.
    package var presentsTokens: Bool

    package init(
        userAgent: String? = nil, binds: Bool = false, managesStream: Bool = true, tokens: LoginTokens? = nil,
        presentsTokens: Bool = true
    ) {
        self.userAgent = userAgent
        self.binds = binds
        self.managesStream = managesStream
        self.tokens = tokens
        self.presentsTokens = presentsTokens
    }
}

/// What is asked for along with one login by SASL2.
package struct InlineRequests: Equatable, Sendable {
    /// A resource that is bound along with the login; the server makes its name, and `tag` is a part of it (XEP-0386).
    struct Bind: Equatable, Sendable {
        let tag: String
        let managesStream: Bool
    }

    /// What a login has to do with tokens (XEP-0484).
    enum Token: Equatable, Sendable {
        /// One for this mechanism is asked for.
        case request(TokenMechanism)
        /// One is used; with a number that grows from login to login.
        case use(count: Int64)
    }

    var userAgent: String?
    var resumption: Resumption?
    var bind: Bind?
    var token: Token?

    /// The requests as elements, in the order in which the server takes them up.
    var elements: [Element] {
        var elements = [agent]
        if let resumption { elements.append(resumption.request) }
        if let bind {
            var element = Element("bind", namespace: Namespace.bind2)
                .with(Element("tag", namespace: Namespace.bind2).with(text: bind.tag))
            if bind.managesStream { element = element.with(StreamManagement.enable) }
            elements.append(element)
        }
        switch token {
        case .request(let mechanism):
            elements.append(
                Element("request-token", namespace: Namespace.fast).with("mechanism", mechanism.rawValue))
        case .use(let count): elements.append(Element("fast", namespace: Namespace.fast).with("count", "\(count)"))
        case nil: break
        }
        return elements
    }

    private var agent: Element {
        let agent = Element("user-agent", namespace: Namespace.sasl2)
            .with(Element("software", namespace: Namespace.sasl2).with(text: "Bellhop"))
        return userAgent.map { agent.with("id", $0) } ?? agent
    }
}

/// What a login by SASL2 has bound.
struct InlineBinding: Equatable, Sendable {
    let jid: JID
    /// The server's `<enabled/>`; nil where stream management is still to be turned on.
    let enabled: Element?
}
