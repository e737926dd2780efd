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

    package init(userAgent: String? = nil, binds: Bool = false, managesStream: Bool = true) {
        self.userAgent = userAgent
        self.binds = binds
        self.managesStream = managesStream
    }
}

/// What is asked for along with one login by SASL2.
package struct InlineRequests: Equatable, Sendable {
    /// A resource that is bound along with the login; the server makes its name, and `tag` is a part of it (XEP-0386).
    struct Bind: Equatable, Sendable {
        let tag: String
        let managesStream: Bool
    }

    var userAgent: String?
    var resumption: Resumption?
    var bind: Bind?

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
