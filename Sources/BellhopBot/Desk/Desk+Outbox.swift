internal import BellhopDiagnostics
internal import BellhopXMPP

/// Messages of ours that wait or came back: what admins see of them, and what they make of them.
extension Desk {
    private var outbox: Outbox { Outbox(ledger: ledger, underWay: chat.underWay) }

    /// What waits to be sent, and what came back.
    package func listOutbox(_ filter: OutboxFilter) throws(LedgerFault) -> OutboxListing { try outbox.list(filter) }

    /// Sends messages again that came back, or gives up what came back or waits. `who` is named in the log.
    package func changeOutbox(
        _ verb: OutboxVerb, _ choice: OutboxChoice, _ filter: OutboxFilter, by who: String, at moment: Moment
    ) throws(LedgerFault) -> OutboxOutcome {
        guard !ledger.isFull else { throw .full }
        let (outcome, messages) = try outbox.change(verb, choice, filter, by: who, at: moment)
        for done in outcome.done {
            log.info(
                "outbox", verb == .retry ? "A message is sent again." : "A message is given up.",
                ["row": "\(done.row)", "to": done.to.bareText, "by": who])
            if verb == .drop { outgoing.settle(done.row, .failed(Phrases.droppedBy(who))) }
        }
        // What cannot leave now is queued in the ledger like any other.
        if pause == nil { for message in messages { chat.send(message.message, row: message.row) } }
        return outcome
    }

    /// `outbox`, `outbox retry 17`, `outbox drop all`.
    func outbox(_ arguments: String, from admin: JID, at moment: Moment) -> String {
        guard let request = OutboxRequest(arguments) else { return Phrases.outboxUsage }
        var filter = OutboxFilter(since: moment.clock - Outbox.period)
        do throws(LedgerFault) {
            switch request {
            case .list:
                filter.limit = 10
                return Phrases.outbox(try listOutbox(filter), isPaused: isPaused, at: moment.clock)
            case .change(let verb, let choice):
                let outcome = try changeOutbox(verb, choice, filter, by: admin.bareText, at: moment)
                return Phrases.changed(outcome, isPaused: isPaused)
            }
        } catch {
            switch error {
            case .unreadable: return Phrases.unreadable
            case .full: return Phrases.full
            }
        }
    }
}
