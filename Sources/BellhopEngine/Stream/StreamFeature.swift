/// A step of the negotiation, with what must hold before it and what must not: the order of a login is this table and
/// nothing else.
struct StreamFeature: Equatable {
    enum Step: Equatable, Sendable {
        case startTLS, registration, sasl, legacyLogin, resumption, bind, session, online
    }

    let step: Step
    let requires: StreamConditions
    let forbids: StreamConditions

    /// In order of preference: the first step that is offered and allowed is taken.
    static let table = [
        StreamFeature(.startTLS, requires: [], forbids: [.encrypted, .authenticated]),
        StreamFeature(.registration, requires: [.confidential, .registering], forbids: [.authenticated]),
        StreamFeature(.sasl, requires: [.confidential, .capable], forbids: [.registering, .authenticated]),
        StreamFeature(
            .legacyLogin, requires: [.confidential, .legacyAllowed], forbids: [.capable, .registering, .authenticated]),
        // Once a resource is bound nothing can be resumed (XEP-0198 section 5).
        StreamFeature(.resumption, requires: [.confidential, .authenticated, .resumable], forbids: [.bound]),
        StreamFeature(.bind, requires: [.confidential, .authenticated], forbids: [.bound]),
        StreamFeature(.session, requires: [.bound], forbids: [.established]),
        StreamFeature(.online, requires: [.bound], forbids: []),
    ]

    private init(_ step: Step, requires: StreamConditions, forbids: StreamConditions) {
        self.step = step
        self.requires = requires
        self.forbids = forbids
    }

    /// The next step for a stream where these conditions hold, or nil when nothing that is offered may be done.
    static func next(_ offered: ServerFeatures, _ conditions: StreamConditions) -> Step? {
        table.first { feature in
            conditions.isSuperset(of: feature.requires) && conditions.isDisjoint(with: feature.forbids)
                && feature.isOffered(offered, conditions)
        }?.step
    }

    private func isOffered(_ offered: ServerFeatures, _ conditions: StreamConditions) -> Bool {
        switch step {
        case .startTLS:
            // Where the operator allows a stream in the clear, TLS is for the server that insists on it.
            switch offered.startTLS {
            case .absent: false
            case .required: true
            case .optional: !conditions.contains(.confidential) || offered.mechanisms.isEmpty
            }
        // Servers may offer registration without listing it (XEP-0077 section 8).
        case .registration: true
        case .sasl: !offered.mechanisms.isEmpty || offered.sasl2 != nil
        // A server of 2022 that has a login of 1999 as well is not what it says; there nothing weaker stands in.
        case .legacyLogin: offered.legacyLogin && offered.sasl2 == nil
        case .resumption: offered.streamManagement
        case .bind: offered.bind
        case .session: offered.session == .required
        case .online: true
        }
    }
}

/// What holds for a stream at one point of its negotiation.
struct StreamConditions: OptionSet, Sendable {
    let rawValue: UInt16

    /// TLS is up and the certificate is that of the account's domain.
    static let encrypted = StreamConditions(rawValue: 1 << 0)
    /// A password may be written: the stream is encrypted, or the operator allows it in the clear.
    static let confidential = StreamConditions(rawValue: 1 << 1)
    /// The caller wants an account, not a session.
    static let registering = StreamConditions(rawValue: 1 << 2)
    static let authenticated = StreamConditions(rawValue: 1 << 3)
    static let bound = StreamConditions(rawValue: 1 << 4)
    /// The legacy session was asked for and granted.
    static let established = StreamConditions(rawValue: 1 << 5)
    /// There is a stream to take up again, and the server was not asked for it yet.
    static let resumable = StreamConditions(rawValue: 1 << 6)
    /// Among the mechanisms is one that may be used.
    static let capable = StreamConditions(rawValue: 1 << 7)
    /// The operator allows jabber:iq:auth.
    static let legacyAllowed = StreamConditions(rawValue: 1 << 8)
}
