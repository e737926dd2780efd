internal import BellhopBot
internal import BellhopClient
internal import BellhopXMPP

/// The outbox of a running bot, for the command line.
extension BotHouse {
    func listOutbox(_ filter: Invocation.OutboxFilter) -> ControlAnswer {
        do throws(LedgerFault) {
            let listing = try desk.listOutbox(filter.asOf(loop.clock))
            return .outbox(listing.entries.map { OutboxRow($0, hold: outboxHold) }, more: listing.more)
        } catch {
            return ControlAnswer(error)
        }
    }

    func changeOutbox(
        _ verb: OutboxVerb, _ choice: OutboxChoice, _ filter: Invocation.OutboxFilter
    ) -> ControlAnswer {
        do throws(LedgerFault) {
            let outcome = try desk.changeOutbox(
                verb, choice, filter.asOf(loop.clock), by: Self.commandLine, at: moment)
            return .changedOutbox(outcome, hold: outboxHold)
        } catch {
            return ControlAnswer(error)
        }
    }

    private var outboxHold: OutboxHold? {
        if desk.isPaused { return .paused }
        return loop.isOnline ? nil : .offline(lastReason)
    }
}

extension ControlAnswer {
    init(_ fault: LedgerFault) {
        switch fault {
        case .unreadable(let reason): self = .failed(.journalFailed(reason: reason))
        case .full: self = .failed(.journalFull)
        }
    }
}

extension Invocation.OutboxFilter {
    func asOf(_ now: Timestamp) -> OutboxFilter { OutboxFilter(to: to, since: now - since, failedOnly: failedOnly) }
}
