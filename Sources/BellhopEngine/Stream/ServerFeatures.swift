package import BellhopXML
internal import BellhopXMPP

/// What a server's `<stream:features/>` offers (RFC 6120 section 4.3.2).
package struct ServerFeatures: Equatable, Sendable {
    /// How a server offers something that a client may have to do.
    package enum Offer: Equatable, Sendable { case absent, optional, required }

    package var startTLS = Offer.absent
    /// The names of the SASL mechanisms, at most 64 of them.
    package var mechanisms: [String] = []
    /// The types of channel binding that the server takes, at most 64 of them (XEP-0440); nil where it lists none.
    package var bindings: [String]?
    /// The login that carries what comes after it (XEP-0388).
    package var sasl2: SASL2Offer?
    /// jabber:iq:auth (XEP-0078).
    package var legacyLogin = false
    package var bind = false
    /// The session request of RFC 3921, which RFC 6121 dropped.
    package var session = Offer.absent
    /// Stream management (XEP-0198).
    package var streamManagement = false
    /// The server keeps versions of the roster (RFC 6121 section 2.6).
    package var rosterVersioning = false
    /// A contact can be approved before it asks (RFC 6121 section 3.4).
    package var preApproval = false
    /// The largest stanza that the server takes, in bytes (XEP-0478).
    package var maxBytes: Int?
    /// After how many seconds of silence the server may close the stream (XEP-0478).
    package var idleSeconds: Int?

    package init() {}

    /// What there is to log in with.
    var saslOffer: SASLOffer { SASLOffer(mechanisms: mechanisms, bindings: bindings) }

    package init(_ features: Element) {
        for feature in features.children { read(feature) }
    }

    private mutating func read(_ feature: Element) {
        switch (feature.name, feature.namespace) {
        case ("starttls", Namespace.tls):
            startTLS = feature.marks("required") ? .required : .optional
        case ("mechanisms", Namespace.sasl):
            for mechanism in feature.children
            where mechanism.is("mechanism", Namespace.sasl) && mechanisms.count < 64 {
                mechanisms.append(String(mechanism.token.prefix(64)))
            }
        case ("authentication", Namespace.sasl2): sasl2 = SASL2Offer(feature)
        case ("sasl-channel-binding", Namespace.channelBinding):
            var types = bindings ?? []
            for type in feature.children
            where type.is("channel-binding", Namespace.channelBinding) && types.count < 64 {
                types.append(String((type["type"] ?? "").prefix(64)))
            }
            bindings = types
        case ("auth", Namespace.legacyLoginFeature): legacyLogin = true
        case ("bind", Namespace.bind): bind = true
        case ("session", Namespace.session):
            session = feature.marks("optional") ? .optional : .required
        case ("sm", Namespace.streamManagement): streamManagement = true
        case ("ver", Namespace.rosterVersioning): rosterVersioning = true
        case ("sub", Namespace.preApproval): preApproval = true
        case ("limits", Namespace.streamLimits):
            maxBytes = Self.limit(feature.child("max-bytes", Namespace.streamLimits)) ?? maxBytes
            idleSeconds = Self.limit(feature.child("idle-seconds", Namespace.streamLimits)) ?? idleSeconds
        default: break
        }
    }

    private static func limit(_ element: Element?) -> Int? {
        guard let element, let limit = Int(element.token), limit > 0 else { return nil }
        return limit
    }
}
