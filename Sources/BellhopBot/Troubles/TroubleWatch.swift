internal import BellhopXMPP

/// Makes troubles of what happens again and again, or for long.
struct TroubleWatch {
    /// How many failures of one handler in a row are a trouble.
    static let failuresInARow = 3
    /// How long the bot must have been offline for that to be told.
    static let longOutage: Duration = .seconds(900)

    private struct Refusals {
        var since: Timestamp
        var times: Int
        var reason: String
    }

    private struct Outage {
        var since: Duration
        var reason: String
    }

    /// Failures in a row, by the handler's name; there are no more names than handlers.
    private var failures: [String: Int] = [:]
    private var refusals: Refusals?
    private var outage: Outage?

    /// Whether no handler has failed since it succeeded last.
    var isCalm: Bool { failures.isEmpty }

    mutating func handlerFailed(_ name: String) -> Trouble? {
        let times = failures[name, default: 0] + 1
        failures[name] = times
        return times < Self.failuresInARow ? nil : .handlerFailing(name: name, times: times)
    }

    mutating func handlerSucceeded(_ name: String) { failures[name] = nil }

    /// Nothing can be told while the bot is offline, so what happens to the connection is told when it is back.
    mutating func heard(_ event: Event, at moment: Moment) -> Trouble? {
        switch event {
        case .loginFailed(let event):
            refusals = Refusals(
                since: refusals?.since ?? moment.clock, times: (refusals?.times ?? 0) + 1, reason: event.reason)
            return nil
        case .disconnected(let event):
            outage = Outage(since: outage?.since ?? moment.now, reason: event.cause)
            return nil
        case .online: return cameBack(at: moment)
        case .connected, .registered, .registrationFailed, .rosterLoaded, .rosterChanged, .contactOnline,
            .contactOffline, .contactChanged, .request, .removed, .messageSent, .messageFailed:
            return nil
        }
    }

    private mutating func cameBack(at moment: Moment) -> Trouble? {
        defer { (refusals, outage) = (nil, nil) }
        if let refusals {
            return .loginsRefused(times: refusals.times, since: refusals.since, reason: refusals.reason)
        }
        guard let outage, moment.now - outage.since >= Self.longOutage else { return nil }
        return .outage(moment.now - outage.since, reason: outage.reason)
    }
}
