package import BellhopXMPP

/// How a running bot is.
package struct BotStatus: Equatable, Sendable {
    package enum Connection: Equatable, Sendable {
        case online, connecting
        /// The next attempt is due then.
        case waiting(until: Timestamp)
    }

    /// What the last login came to, while it lasts.
    package struct Login: Equatable, Sendable {
        /// As the server bound it.
        package var jid: String
        /// Address and port.
        package var server: String
        /// Like `TLS 1.3`; nil without encryption.
        package var tls: String?
        package var mechanism: String
    }

    package struct Pause: Equatable, Sendable {
        package var since: Timestamp
        package var by: String
        /// How many commands wait for its end.
        package var commands: Int
    }

    /// What went wrong last.
    package struct Trouble: Equatable, Sendable {
        package var reason: String
        package var at: Timestamp
    }

    package var version: String
    /// The bare address of the configuration.
    package var account: String
    package var connection: Connection
    /// Since when the bot is online, or is not.
    package var since: Timestamp
    /// Nil while the bot is not online.
    package var login: Login?
    package var contacts: Int
    /// How many contact requests wait for an answer.
    package var requests: Int
    /// How many messages wait to be sent; nil when the journal cannot say.
    package var queued: Int?
    /// How many messages came back in the last day; nil when the journal cannot say.
    package var failed: Int?
    /// How many messages were logged since the journal was made.
    package var logged: Int
    package var pause: Pause?
    package var trouble: Trouble?
    package var started: Timestamp
    /// In seconds, by a clock that nobody sets.
    package var uptime: Int
}
