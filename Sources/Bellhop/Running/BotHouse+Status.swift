internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopXMPP

/// How the bot is, for the command line and for admins in the chat.
extension BotHouse: Steward {
    var status: String {
        StatusText.text(report) { WallClock.localOffset(atMilliseconds: $0.milliseconds) }
    }

    func rereadConfiguration(_ answered: @escaping @Sendable (String) -> Void) {
        reload { outcome in answered(ServicePhrases.answer(outcome)) }
    }

    var report: BotStatus {
        let connection: BotStatus.Connection
        var login: BotStatus.Login?
        switch record.standing {
        case .connecting: connection = .connecting
        case .waiting(let moment): connection = .waiting(until: moment)
        case .online(let facts):
            connection = .online
            login = BotStatus.Login(
                jid: facts.bound.description, server: "\(facts.address):\(facts.port)", tls: facts.tls,
                mechanism: facts.mechanism)
        }
        return BotStatus(
            version: Version.current, account: loop.settings.jid.bareText, connection: connection, since: record.since,
            login: login, contacts: loop.rosterItems.count, requests: desk.pendingRequests.count,
            queued: ledger.queuedCount, failed: ledger.failedCount(since: loop.clock - .seconds(86_400)),
            logged: ledger.loggedCount,
            pause: desk.pause.map {
                BotStatus.Pause(since: $0.since, by: $0.by, commands: desk.heldCommandCount)
            },
            trouble: record.trouble.map { BotStatus.Trouble(reason: $0.reason, at: $0.at) },
            started: startedAt.clock, uptime: Int(clamping: (loop.now - startedAt.now).components.seconds))
    }
}
