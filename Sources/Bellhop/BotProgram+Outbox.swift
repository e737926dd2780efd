internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopXMPP

/// `outbox`.
extension BotProgram {
    func outbox(_ invocation: Invocation, _ action: Invocation.OutboxAction) -> ExitCode {
        switch action {
        case .list(let filter, let json):
            return operate(invocation, .listOutbox(filter)) { outcome in
                guard case .answered(.outbox(let rows, let more)) = outcome else { return nil }
                if more > 0 { complain(OutboxPhrases.more(more)) }
                let now = Timestamp(milliseconds: WallClock.milliseconds())
                return say(json ? OutboxTable.json(rows) : OutboxTable.text(rows, now: now))
            }
        case .change(let verb, let choice, let filter):
            return operate(invocation, .changeOutbox(verb, choice, filter)) { outcome in
                guard case .answered(.changedOutbox(let changed, let hold)) = outcome else { return nil }
                if let trouble = OutboxPhrases.trouble(changed, choice) {
                    complain(trouble)
                    return .unavailable
                }
                return say(OutboxPhrases.changed(changed, hold: hold))
            }
        }
    }
}
