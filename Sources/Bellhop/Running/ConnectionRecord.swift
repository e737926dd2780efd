internal import BellhopClient
internal import BellhopXMPP

/// What is known of an account's connection: how it stands, since when, and what went wrong last.
struct ConnectionRecord: Equatable {
    enum Standing: Equatable {
        case connecting
        /// The next attempt is due then.
        case waiting(until: Timestamp)
        case online(AccountEvent.Login)
    }

    /// Why a login or a connection failed, and when that was.
    struct Trouble: Equatable {
        var reason: String
        var at: Timestamp
    }

    private(set) var standing: Standing = .connecting
    /// Since when the account is online, or is not.
    private(set) var since: Timestamp
    private(set) var trouble: Trouble?

    init(at start: Timestamp) { since = start }

    mutating func occurred(_ event: AccountEvent, at clock: Timestamp) {
        switch event {
        case .connecting: standing = .connecting
        case .online(let login), .resumed(let login):
            standing = .online(login)
            since = clock
        case .loginFailed(let reason): trouble = Trouble(reason: reason, at: clock)
        case .disconnected(let reason, let retry):
            if case .online = standing { since = clock }
            standing = retry.map { .waiting(until: clock + $0) } ?? .connecting
            trouble = Trouble(reason: reason, at: clock)
        case .connected, .streamEnded, .proved, .registered, .registrationFailed, .rosterLoaded, .rosterChanged,
            .rosterRemoved,
            .contactOnline, .contactOffline, .contactChanged, .subscriptionNotice:
            break
        }
    }
}
