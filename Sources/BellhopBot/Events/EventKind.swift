/// A kind of event that `On` can hear, with the type of what comes with it.
public struct EventKind<Payload: Sendable>: Sendable {
    let name: EventName
    let payload: @Sendable (Event) -> Payload?
}

/// The names of events, one for each case of `Event`.
enum EventName: String, Sendable, CaseIterable {
    case connected, online, loginFailed, disconnected, registered, registrationFailed, rosterLoaded, rosterChanged
    case contactOnline, contactOffline, contactChanged, request, removed, messageSent, messageFailed
}

extension Event {
    var name: EventName {
        switch self {
        case .connected: .connected
        case .online: .online
        case .loginFailed: .loginFailed
        case .disconnected: .disconnected
        case .registered: .registered
        case .registrationFailed: .registrationFailed
        case .rosterLoaded: .rosterLoaded
        case .rosterChanged: .rosterChanged
        case .contactOnline: .contactOnline
        case .contactOffline: .contactOffline
        case .contactChanged: .contactChanged
        case .request: .request
        case .removed: .removed
        case .messageSent: .messageSent
        case .messageFailed: .messageFailed
        }
    }
}

extension EventKind where Payload == Connected {
    public static var connected: EventKind {
        EventKind(name: .connected) { if case .connected(let payload) = $0 { payload } else { nil } }
    }
}

extension EventKind where Payload == Online {
    public static var online: EventKind {
        EventKind(name: .online) { if case .online(let payload) = $0 { payload } else { nil } }
    }
}

extension EventKind where Payload == LoginFailed {
    public static var loginFailed: EventKind {
        EventKind(name: .loginFailed) { if case .loginFailed(let payload) = $0 { payload } else { nil } }
    }
}

extension EventKind where Payload == Disconnected {
    public static var disconnected: EventKind {
        EventKind(name: .disconnected) { if case .disconnected(let payload) = $0 { payload } else { nil } }
    }
}

extension EventKind where Payload == Registered {
    public static var registered: EventKind {
        EventKind(name: .registered) { if case .registered(let payload) = $0 { payload } else { nil } }
    }
}

extension EventKind where Payload == RegistrationFailed {
    public static var registrationFailed: EventKind {
        EventKind(name: .registrationFailed) { if case .registrationFailed(let payload) = $0 { payload } else { nil } }
    }
}

extension EventKind where Payload == RosterLoaded {
    public static var rosterLoaded: EventKind {
        EventKind(name: .rosterLoaded) { if case .rosterLoaded(let payload) = $0 { payload } else { nil } }
    }
}

extension EventKind where Payload == RosterChanged {
    public static var rosterChanged: EventKind {
        EventKind(name: .rosterChanged) { if case .rosterChanged(let payload) = $0 { payload } else { nil } }
    }
}

extension EventKind where Payload == ContactPresence {
    public static var contactOnline: EventKind {
        EventKind(name: .contactOnline) { if case .contactOnline(let payload) = $0 { payload } else { nil } }
    }

    public static var contactOffline: EventKind {
        EventKind(name: .contactOffline) { if case .contactOffline(let payload) = $0 { payload } else { nil } }
    }

    public static var contactChanged: EventKind {
        EventKind(name: .contactChanged) { if case .contactChanged(let payload) = $0 { payload } else { nil } }
    }
}

extension EventKind where Payload == SubscriptionRequest {
    public static var request: EventKind {
        EventKind(name: .request) { if case .request(let payload) = $0 { payload } else { nil } }
    }
}

extension EventKind where Payload == Removed {
    public static var removed: EventKind {
        EventKind(name: .removed) { if case .removed(let payload) = $0 { payload } else { nil } }
    }
}

extension EventKind where Payload == MessageSent {
    public static var messageSent: EventKind {
        EventKind(name: .messageSent) { if case .messageSent(let payload) = $0 { payload } else { nil } }
    }
}

extension EventKind where Payload == MessageFailed {
    public static var messageFailed: EventKind {
        EventKind(name: .messageFailed) { if case .messageFailed(let payload) = $0 { payload } else { nil } }
    }
}
