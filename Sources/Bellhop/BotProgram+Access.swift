internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopXMPP

/// `why` and `audit`.
extension BotProgram {
    func why(_ invocation: Invocation, _ person: JID, _ command: String) -> ExitCode {
        withLoaded(invocation, needsPassword: false) { loaded, log in
            let configuration = loaded.configuration
            let bot = configuration.equipped(bot, log: log)
            let permissions = configuration.deskSettings(program: name).permissions
            let prefix = configuration.commands.prefix
            let word = command.hasPrefix(prefix) ? String(command.dropFirst(prefix.count)) : command
            guard let policy = permissions.policy(named: word, in: bot) else {
                let suggestion = NearestWord.find(word, among: bot.declaration.commands)
                return refuse(UsageError.noSuchBotCommand(word, suggestion: suggestion).sentence(bot: name))
            }
            guard permissions.asksRoster(policy) else { return say(permissions, person, policy, []) }
            return errand(invocation, .listRoster) { answer in
                guard case .roster(let rows) = answer else { return .unavailable }
                let groups = rows.first { $0.jid == person.bareText }?.groups ?? []
                return say(permissions, person, policy, groups)
            }
        }
    }

    private func say(
        _ permissions: Permissions, _ person: JID, _ policy: AccessPolicy, _ groups: [String]
    ) -> ExitCode {
        let decision = permissions.decide(.direct(person), policy, completely: true) { _ in groups }
        let said = say(decision.explanation + "\n")
        return said == .success && !decision.isAllowed ? .denied : said
    }

    func audit(_ invocation: Invocation, _ selection: Invocation.AuditSelection) -> ExitCode {
        withJournal(invocation) { reader throws(JournalError) in
            let since = selection.since.map { Timestamp(milliseconds: WallClock.milliseconds()) - $0 }
            let rows = try reader.audited(last: selection.last, since: since).map(AuditRow.init)
            if selection.json { return say(AuditTable.json(rows)) }
            return say(
                AuditTable.text(rows) {
                    selection.utc ? 0 : WallClock.localOffset(atMilliseconds: $0.milliseconds)
                })
        }
    }
}

extension AuditRow {
    fileprivate init(_ record: AuditRecord) {
        self.init(
            row: record.row.number, time: record.at, jid: record.jid, command: record.command, typed: record.typed,
            rule: record.rule, outcome: record.outcome, code: record.code, duration: record.duration)
    }
}
