package import BellhopXML

/// Why a stream ends: what a `<stream:error/>` says (RFC 6120 section 4.9).
package struct StreamError: Error, Hashable, Sendable {
    package var condition: Condition
    /// What the other side says about it, for people; not to be trusted.
    package var text: String?

    /// RFC 6120 section 4.9.3.
    package enum Condition: Hashable, Sendable {
        case badFormat, badNamespacePrefix, conflict, connectionTimeout, hostGone, hostUnknown, improperAddressing
        case internalServerError, invalidFrom, invalidNamespace, invalidXML, notAuthorized, notWellFormed
        case policyViolation, remoteConnectionFailed, reset, resourceConstraint, restrictedXML
        /// Where the server wants us instead, as it wrote it; nil when it wrote nothing that can be read.
        case seeOtherHost(HostAddress?)
        case systemShutdown
        /// Also every condition that RFC 6120 does not know.
        case undefinedCondition
        case unsupportedEncoding, unsupportedFeature, unsupportedStanzaType, unsupportedVersion
    }

    package init(_ condition: Condition, text: String? = nil) {
        self.condition = condition
        self.text = text
    }

    /// What to end the stream with when the parser gave up.
    package init(fault: StreamFault) {
        switch fault {
        case .notWellFormed: self.init(.notWellFormed)
        case .restrictedXML: self.init(.restrictedXML)
        case .policyViolation: self.init(.policyViolation)
        case .unsupportedEncoding: self.init(.unsupportedEncoding)
        }
    }
}

extension StreamError {
    /// Reads a `<stream:error/>`; nil for another element.
    package init?(_ element: Element) {
        guard element.is("error", Namespace.streams) else { return nil }
        var condition: Condition?
        var text: String?
        for case .element(let child) in element.nodes where child.namespace == Namespace.streamErrors {
            switch child.name {
            case "text": text = text ?? child.text
            case "see-other-host": condition = condition ?? .seeOtherHost(HostAddress(child.text))
            default: condition = condition ?? StreamError.named[child.name]
            }
        }
        self.init(condition ?? .undefinedCondition, text: text)
    }

    /// The `<stream:error/>` element.
    package var element: Element {
        var child = Element(condition.name, namespace: Namespace.streamErrors)
        if case .seeOtherHost(let address?) = condition { child = child.with(text: address.description) }
        let error = Element("error", namespace: Namespace.streams).with(child)
        guard let text else { return error }
        return error.with(Element("text", namespace: Namespace.streamErrors).with(text: text))
    }

    private static let named: [String: Condition] = Dictionary(
        Condition.withoutContent.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

extension StreamError.Condition {
    package static let withoutContent: [StreamError.Condition] = [
        .badFormat, .badNamespacePrefix, .conflict, .connectionTimeout, .hostGone, .hostUnknown, .improperAddressing,
        .internalServerError, .invalidFrom, .invalidNamespace, .invalidXML, .notAuthorized, .notWellFormed,
        .policyViolation, .remoteConnectionFailed, .reset, .resourceConstraint, .restrictedXML, .systemShutdown,
        .undefinedCondition, .unsupportedEncoding, .unsupportedFeature, .unsupportedStanzaType, .unsupportedVersion,
    ]

    /// The name of the condition's element.
    package var name: String {
        switch self {
        case .badFormat: "bad-format"
        case .badNamespacePrefix: "bad-namespace-prefix"
        case .conflict: "conflict"
        case .connectionTimeout: "connection-timeout"
        case .hostGone: "host-gone"
        case .hostUnknown: "host-unknown"
        case .improperAddressing: "improper-addressing"
        case .internalServerError: "internal-server-error"
        case .invalidFrom: "invalid-from"
        case .invalidNamespace: "invalid-namespace"
        case .invalidXML: "invalid-xml"
        case .notAuthorized: "not-authorized"
        case .notWellFormed: "not-well-formed"
        case .policyViolation: "policy-violation"
        case .remoteConnectionFailed: "remote-connection-failed"
        case .reset: "reset"
        case .resourceConstraint: "resource-constraint"
        case .restrictedXML: "restricted-xml"
        case .seeOtherHost: "see-other-host"
        case .systemShutdown: "system-shutdown"
        case .undefinedCondition: "undefined-condition"
        case .unsupportedEncoding: "unsupported-encoding"
        case .unsupportedFeature: "unsupported-feature"
        case .unsupportedStanzaType: "unsupported-stanza-type"
        case .unsupportedVersion: "unsupported-version"
        }
    }
}
