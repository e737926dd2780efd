internal import BellhopBot
internal import BellhopClient
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// What the configuration says, in the words of each room.
extension Configuration {
    var accountSettings: AccountSettings {
        var settings = AccountSettings(jid: account.jid, password: account.password)
        if let path = account.passwordFile { settings.newerPasswords = { PasswordFile(path: path).candidates } }
        settings.resource = account.connection.resource
        settings.server = account.server.map {
            ServerTarget(Endpoint(host: $0.host, port: $0.port), $0.directTLS ? .directTLS : .startTLS)
        }
        settings.resolver.nameServer = account.nameServer.map { Endpoint(host: $0.address, port: $0.port) }
        settings.authorities = account.connection.authorities
        settings.pins = account.connection.pins
        settings.identity = account.connection.certificate.identity
        settings.requiresTLS = account.connection.encryption == .required
        settings.allowsPlain = account.connection.allowsPlain
        settings.allowsLegacyLogin = account.connection.allowsLegacyLogin
        settings.usesSASL2 = account.connection.sasl2 == .auto
        settings.channelBinding =
            switch account.connection.channelBinding {
            case .auto: .auto
            case .required: .required
            case .off: .off
            }
        settings.timeout = account.connection.timeout
        settings.pingAfter = account.connection.ping.every
        settings.pingTimeout = account.connection.ping.timeout
        settings.backoff = Backoff(spread: account.connection.reconnectSpread)
        settings.language = commands.language
        settings.maxAge = commands.maxAge
        settings.showsTyping = commands.typing
        settings.availability = Availability(
            show: Show(rawValue: presence.show.rawValue) ?? .available, status: presence.status,
            priority: presence.priority)
        return settings
    }

    func deskSettings(program: String) -> DeskSettings {
        var settings = DeskSettings(
            account: account.jid, admins: admins, roles: roles, access: commands.access,
            rules: subscriptions.rules.map(rule),
            fallback: SubscriptionAction(rawValue: subscriptions.fallback.rawValue) ?? .ask)
        settings.prefix = commands.prefix
        settings.handlerLimit = commands.timeout
        settings.loopBrake = commands.loopBrake
        settings.maxAge = commands.maxAge
        settings.textLimit = commands.inputLimit
        settings.output = OutputLimits(characters: commands.output.characters, messages: commands.output.messages)
        if !commands.typing { settings.typingDelay = nil }
        settings.perPerson = commands.perPerson.pace
        settings.notified = diagnostics.notified ?? admins
        settings.greeting = subscriptions.greeting
        settings.availability = accountSettings.availability
        settings.program = program
        settings.custom = custom?.value
        settings.folder = journal.path.lastIndex(of: "/").map { String(journal.path[..<$0]) } ?? "."
        return settings
    }

    private func rule(_ rule: Subscriptions.Rule) -> SubscriptionRule {
        let limit =
            switch rule.limit {
            case .inherited: subscriptions.limitPerDomain
            case .off: nil as Subscriptions.Limit?
            case .some(let limit): limit
            }
        return SubscriptionRule(
            rule.match, SubscriptionAction(rawValue: rule.action.rawValue) ?? .ask, group: rule.group,
            limit: limit.map { DomainLimit(count: $0.count, period: $0.per) })
    }

    var journalOptions: JournalOptions {
        var options = JournalOptions()
        options.durability = journal.durability == .full ? .full : .normal
        options.bodyLimit = journal.bodyLimit
        options.payloadLimit = journal.payloadLimit
        options.keepsBodies = journal.bodies
        return options
    }

    var backupName: BackupName { BackupName(account: account.jid.bareText) }

    var backupFolder: String { journal.backup.folder ?? JournalFiles.folder(of: journal.path) }

    var backupPlan: BackupKeeper.Plan? {
        journal.backup.every.map {
            BackupKeeper.Plan(every: $0, keep: journal.backup.keep, folder: backupFolder, name: backupName)
        }
    }
}
