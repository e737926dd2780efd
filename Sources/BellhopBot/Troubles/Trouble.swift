package import BellhopXMPP

/// Something that an operator should know though nobody asked; told in the chat to those whom `diagnostics.notify` names.
package enum Trouble: Equatable, Sendable {
    /// A handler threw errors or ran out of time, several times in a row.
    case handlerFailing(name: String, times: Int)
    /// The journal cannot be written, and what is said is kept in memory.
    case journalHeld(reason: String)
    /// The journal can be written again.
    case journalRecovered
    /// The server's certificate ends soon.
    case certificateEnding(domain: String, end: Timestamp, days: Int)
    /// Told when the bot is online again.
    case loginsRefused(times: Int, since: Timestamp, reason: String)
    /// The bot was offline for long; told when it is online again.
    case outage(Duration, reason: String)

    /// Of each kind at most one an hour is told.
    enum Kind: Hashable, CaseIterable {
        case handlerFailing, journalHeld, journalRecovered, certificateEnding, loginsRefused, outage
    }

    var kind: Kind {
        switch self {
        case .handlerFailing: .handlerFailing
        case .journalHeld: .journalHeld
        case .journalRecovered: .journalRecovered
        case .certificateEnding: .certificateEnding
        case .loginsRefused: .loginsRefused
        case .outage: .outage
        }
    }

    /// How long before its end a certificate is spoken of.
    package static let certificateNotice: Duration = .seconds(14 * 86_400)

    /// The trouble with a certificate that ends then, if it is one.
    package static func certificate(of domain: String, end: Timestamp, now: Timestamp) -> Trouble? {
        let left = end - now
        guard left < certificateNotice else { return nil }
        return .certificateEnding(domain: domain, end: end, days: Int(max(0, left.components.seconds / 86_400)))
    }
}
