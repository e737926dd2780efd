package import BellhopXML
package import BellhopXMPP

/// Keeps roster and presence of one account: asks, takes pushes from our own server only, and says what changed (RFC
/// 6121 sections 2 and 4).
package struct RosterMachine: Equatable, Sendable {
    /// What came of something that was received.
    package struct Outcome: Equatable, Sendable {
        /// The answer to send; nil when none may be sent.
        package var answer: Element?
        package var roster: [RosterEvent] = []
        package var presence: [PresenceEvent] = []

        package static let nothing = Outcome()
    }

    private enum State: Equatable, Sendable {
        /// No roster was received in this session. Next: `current`.
        case unasked
        /// The roster is that of the server.
        case current
    }

    package private(set) var roster = RosterStore()
    package private(set) var presence = PresenceTable()
    private var state = State.unasked

    package init() {}

    /// Whether the roster was received in this session.
    package var isLoaded: Bool {
        switch state {
        case .unasked: false
        case .current: true
        }
    }

    /// A new session begins: nobody is there until they say so. The roster and its version are kept to ask with.
    package mutating func sessionBegan() {
        presence.reset()
        state = .unasked
    }

    /// The payload of the request for the roster; it names the version that we have where the server keeps versions.
    package func request(versioning: Bool) -> Element {
        RosterResult.request(version: versioning ? roster.version ?? "" : nil)
    }

    /// The answer to the request: a whole roster, or nothing when ours is still right (RFC 6121 section 2.6.3).
    package mutating func receivedRoster(_ payload: Element?) -> Outcome {
        state = .current
        guard let payload, let result = RosterResult(payload) else { return .nothing }
        return outcome(roster.replaced(by: result))
    }

    /// Whether an iq is a push, for `receivedPush`.
    package static func isPush(_ iq: IQ) -> Bool {
        guard case .set(let payload) = iq.content else { return false }
        return payload.is("query", Namespace.roster)
    }

    /// A push came in: applied when it is our own server's and right, and answered in any case.
    ///
    /// - Parameter account: The address that the session is bound to.
    package mutating func receivedPush(_ iq: IQ, account: JID) -> Outcome {
        guard Self.isPush(iq), let payload = iq.payload else { return .nothing }
        // Anybody can send us such an iq; the roster is the account's own (RFC 6121 section 2.1.6).
        if let from = iq.from, from != account.bare { return refuse(iq, .serviceUnavailable) }
        guard let push = RosterPush(payload) else { return refuse(iq, .badRequest) }
        var outcome = outcome(roster.changed(by: push))
        outcome.answer = iq.result()?.element
        return outcome
    }

    private func refuse(_ iq: IQ, _ condition: StanzaError.Condition) -> Outcome {
        Outcome(answer: iq.refusal(StanzaError(condition))?.element)
    }

    private mutating func outcome(_ events: [RosterEvent]) -> Outcome {
        var outcome = Outcome(roster: events)
        for case .removed(let item) in events {
            if let event = presence.receivedUnavailable(from: item.jid) { outcome.presence.append(event) }
        }
        return outcome
    }

    /// A presence came in; those that are about subscriptions change nothing here.
    ///
    /// - Parameter account: The address that the session is bound to.
    package mutating func received(_ stanza: Presence, account: JID) -> Outcome {
        // Our own other clients are no contacts, even where somebody put the own address into the roster.
        guard let from = stanza.from, from.bareText != account.bareText, roster[from] != nil else { return .nothing }
        let event: PresenceEvent? =
            switch stanza.type {
            case .available: presence.received(stanza.availability, from: from)
            // An error says that the contact cannot be reached, so whatever was known of it is no longer true.
            case .unavailable, .error: presence.receivedUnavailable(from: from)
            case .subscribe, .subscribed, .unsubscribe, .unsubscribed, .probe: nil
            }
        return Outcome(presence: event.map { [$0] } ?? [])
    }
}
