public import BellhopXMPP

/// Something that happened to the bot; what the house and the desk dispatch to `On` handlers.
package enum Event: Sendable {
    case connected(Connected)
    case online(Online)
    case loginFailed(LoginFailed)
    case disconnected(Disconnected)
    case registered(Registered)
    case registrationFailed(RegistrationFailed)
    case rosterLoaded(RosterLoaded)
    case rosterChanged(RosterChanged)
    case contactOnline(ContactPresence)
    case contactOffline(ContactPresence)
    case contactChanged(ContactPresence)
    case request(SubscriptionRequest)
    case removed(Removed)
    case messageSent(MessageSent)
    case messageFailed(MessageFailed)
}

/// The server was reached, and the stream is encrypted where it has to be; the login comes next.
public struct Connected: Sendable, Equatable {
    public var host: String
    /// Like `TLS 1.3`; nil for a stream without TLS.
    public var tlsVersion: String?

    public init(host: String, tlsVersion: String?) {
        self.host = host
        self.tlsVersion = tlsVersion
    }
}

/// The bot is logged in and shows itself.
public struct Online: Sendable, Equatable {
    /// The full address that the server bound.
    public var jid: JID
    /// Whether a broken stream goes on where it broke (XEP-0198): nothing was lost, and nobody saw the bot go.
    public var isResumed: Bool

    public init(jid: JID, isResumed: Bool = false) {
        self.jid = jid
        self.isResumed = isResumed
    }
}

/// The server refused the login.
public struct LoginFailed: Sendable, Equatable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// The connection is gone.
public struct Disconnected: Sendable, Equatable {
    public var cause: String
    /// How long until the next attempt; nil when there is none.
    public var nextAttempt: Duration?

    public init(cause: String, nextAttempt: Duration?) {
        self.cause = cause
        self.nextAttempt = nextAttempt
    }
}

/// The account was registered in-band.
public struct Registered: Sendable, Equatable {
    public var jid: JID

    public init(jid: JID) { self.jid = jid }
}

/// The server did not register the account.
public struct RegistrationFailed: Sendable, Equatable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// The roster is here.
public struct RosterLoaded: Sendable, Equatable {
    public var items: [RosterItem]

    public init(items: [RosterItem]) { self.items = items }
}

/// A roster item was added, changed or removed.
public struct RosterChanged: Sendable, Equatable {
    public var jid: JID
    /// The item as it is now; nil when it was removed.
    public var item: RosterItem?

    public init(jid: JID, item: RosterItem?) {
        self.jid = jid
        self.item = item
    }
}

/// A contact came, went, or shows something else. The bot's own other devices are no contacts.
public struct ContactPresence: Sendable, Equatable {
    /// The full address.
    public var jid: JID
    /// What it shows now; its last when it went.
    public var availability: Availability

    public init(jid: JID, availability: Availability) {
        self.jid = jid
        self.availability = availability
    }
}

/// Somebody asked to see the bot's presence, and the policy decided.
public struct SubscriptionRequest: Sendable, Equatable {
    /// Who asked, bare.
    public var jid: JID
    /// The action as the configuration names it, like `accept-mutual`.
    public var action: String
    /// What decided: `admins`, `default`, or a rule like `subscriptions.rules[2]`.
    public var decidedBy: String
    /// The number by which admins answer; nil when nothing is pending.
    public var number: Int?
}

/// A person removed the bot: they no longer see its presence.
public struct Removed: Sendable, Equatable {
    /// Who, bare.
    public var jid: JID

    public init(jid: JID) { self.jid = jid }
}

/// The server has a message of ours.
public struct MessageSent: Sendable, Equatable {
    public var to: JID
    public var id: String

    public init(to: JID, id: String) {
        self.to = to
        self.id = id
    }
}

/// A message of ours did not arrive.
public struct MessageFailed: Sendable, Equatable {
    /// To whom it went, bare.
    public var to: JID
    public var id: String
    /// The bounce's reason.
    public var reason: String

    public init(to: JID, id: String, reason: String) {
        self.to = to
        self.id = id
        self.reason = reason
    }
}
