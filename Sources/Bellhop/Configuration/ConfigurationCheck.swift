internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopXMPP

/// Turns a tree into a checked configuration, or into everything that is wrong with it.
struct ConfigurationCheck {
    let loader: ConfigurationLoader
    let origin: LoadedConfiguration.Origin
    let fileMode: UInt32
    var walker = ConfigurationWalker(keys: ConfigurationKeys.all)
    private(set) var draft = ConfigurationDraft()
    var notes: [String] = []

    init(loader: ConfigurationLoader, origin: LoadedConfiguration.Origin, fileMode: UInt32) {
        self.loader = loader
        self.origin = origin
        self.fileMode = fileMode
    }

    mutating func run(_ root: JSONNode) -> Result<LoadedConfiguration, ConfigurationReport> {
        walker.walk(root, into: &draft)
        var programs: [Configuration.ProgramCommand] = []
        if root.value.isObject {
            requireParts(root)
            checkEncryption()
            checkAuthorities()
            checkCertificate()
            programs = self.programs(roles: names(in: "roles", before: [Role.admins.name]))
            checkAccess(root)
            checkBackup()
        }
        let source = needsPassword ? passwordSource() : .plain(Secret(""))
        let lacksPassword = loader.makesPassword && isMissing(source)
        let password = needsPassword && !lacksPassword ? source.flatMap { resolve($0) } : Secret("")
        let journalPath = journalPath()
        let custom = customSettings()
        guard custom.problems.isEmpty, walker.problems.isEmpty, let jid = draft.jid, let source, let password,
            let journalPath
        else {
            return .failure(
                ConfigurationReport(
                    file: nil, problems: walker.problems + custom.problems,
                    journal: isJournalCertain(root) ? journalPath : nil, account: certainAccount))
        }
        var configuration = Configuration(jid: jid, password: password)
        if case .file(let path) = source { configuration.account.passwordFile = resolved(path) }
        configuration.account.server = draft.server.server
        configuration.account.nameServer = draft.nameServer
        configuration.account.connection = draft.connection
        configuration.admins = draft.admins
        configuration.roles = draft.roles
        configuration.presence = draft.presence
        configuration.subscriptions = draft.subscriptions
        configuration.subscriptions.limitPerDomain = draft.limit.limit
        configuration.commands = draft.commands
        configuration.commands.list = programs
        configuration.commands.access = draft.access.map(\.override)
        configuration.journal = draft.journal
        configuration.journal.path = journalPath
        configuration.archive = draft.archive
        configuration.diagnostics = draft.diagnostics
        configuration.custom = custom.reading
        // Of the text itself only what was made of it may count in a comparison.
        draft.bot = nil
        draft.custom = custom.reading
        return .success(
            LoadedConfiguration(
                configuration: configuration, origin: origin, passwordSource: source, lacksPassword: lacksPassword,
                notes: notes, draft: draft))
    }

    // MARK: - Between keys

    /// Who has a certificate to show may have no password.
    private var needsPassword: Bool {
        loader.needsPassword && (draft.connection.certificate.file == nil || !walker.lacks("account.password"))
    }

    private mutating func requireParts(_ root: JSONNode) {
        let required =
            needsPassword && !loader.makesPassword ? ["account.jid", "account.password"] : ["account.jid"]
        for required in required where walker.lacks(required) {
            // What stands in the place of the whole section has its own complaint.
            if let account = walker.seen["account"], !account.value.isObject { continue }
            walker.report(.missing, required, walker.place(ofMissing: required) ?? root.position)
        }
        if let server = walker.seen["account.server"], case .object = server.value,
            walker.lacks("account.server.host")
        {
            walker.report(.missing, "account.server.host", server.position)
        }
        if draft.connection.certificate.key != nil, walker.lacks("account.certificate.file") {
            walker.report(.missing, "account.certificate.file", walker.seen["account.certificate"]?.position)
        }
        walker.requireLimit("subscriptions.limitPerDomain")
    }

    /// What stands under `bot`, read by the bot's own keys.
    private mutating func customSettings() -> (reading: SettingsReading?, problems: [ConfigurationProblem]) {
        guard let reader = loader.settings else {
            if loader.declaration != nil, case .object(let members)? = draft.bot?.value, !members.isEmpty {
                walker.report(.noSettings, "bot", draft.bot?.position)
            }
            return (nil, [])
        }
        switch reader.read(draft.bot) {
        case .success(let reading): return (reading, [])
        case .failure(let report): return (nil, report.problems)
        }
    }

    private mutating func checkEncryption() {
        guard draft.connection.encryption == .off else { return }
        if draft.server.server?.directTLS == true {
            walker.report(.unencryptedDirectTLS, "account.tls", walker.seen["account.tls"]?.position)
        }
        let isLoopback = draft.server.server.map { ServerText.isLoopback($0.host) } ?? false
        if !isLoopback { walker.report(.unencryptedRemoteServer, "account.tls", walker.seen["account.tls"]?.position) }
    }

    private mutating func checkAuthorities() {
        guard let written = draft.connection.authorities else { return }
        let path = resolved(written)
        draft.connection.authorities = path
        let position = walker.seen["account.trust.ca"]?.position
        switch loader.surroundings.read(path, limit: 16_777_216) {
        case .failure(let trouble):
            walker.report(.authoritiesUnreadable(path, reason: trouble.phrase), "account.trust.ca", position)
        case .success(let file):
            // What the certificate is worth is seen at the login; a key or a binary file named by mistake is seen here.
            let text = String(decoding: file.bytes, as: UTF8.self)
            if !text.contains("-----BEGIN CERTIFICATE-----") && !text.contains("-----BEGIN TRUSTED CERTIFICATE-----") {
                walker.report(.noAuthorities(path), "account.trust.ca", position)
            }
        }
    }

    mutating func setCertificate(_ file: String, key: String?) {
        draft.connection.certificate.file = file
        draft.connection.certificate.key = key
    }

    /// A folder alone is half a wish, and whoever wrote it believes that there are backups.
    private mutating func checkBackup() {
        let backup = draft.journal.backup
        if backup.every == nil, backup.folder != nil || backup.keep != Configuration.Journal.Backup().keep {
            walker.report(.missing, "journal.backup.every", walker.seen["journal.backup"]?.position)
        }
        draft.journal.backup.folder = backup.folder.map(resolved)
    }

    private mutating func journalPath() -> String? {
        if let written = draft.journalPath { return resolved(written) }
        if let standard = paths.journal { return standard }
        walker.report(.noJournalDirectory, "journal.path", nil)
        return nil
    }

    /// Whether no mistake can be about where the journal is: a key that is misspelt might be meant to say it.
    private func isJournalCertain(_ root: JSONNode) -> Bool {
        root.value.isObject
            && !walker.problems.contains { problem in
                if problem.path == "journal" || problem.path == "journal.path" { return true }
                guard draft.journalPath == nil, case .unknownKey(let meant, _) = problem.kind else { return false }
                if problem.path.hasPrefix("journal.") { return true }
                if problem.path.contains(".") { return false }
                return meant == "journal" || meant?.hasPrefix("journal.") == true || holdsPath(problem.path, root)
            }
    }

    /// Nil where a mistake can be about which account it is.
    private var certainAccount: JID? {
        walker.problems.contains { $0.path == "account" || $0.path == "account.jid" } ? nil : draft.jid
    }

    /// Whether a section that nobody knows could be about a file, as that of the journal may be.
    private func holdsPath(_ name: String, _ root: JSONNode) -> Bool {
        guard case .object(let members) = root.value else { return false }
        return members.contains { member in
            guard member.key == name, case .object(let inner) = member.node.value else { return false }
            return inner.contains { $0.key == "path" }
        }
    }

    private var paths: StandardPaths { StandardPaths(bot: loader.bot, surroundings: loader.surroundings) }

    func resolved(_ path: String) -> String {
        switch origin {
        case .file(let file):
            let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ""
            // A file in the root directory has an empty folder, but an absolute one.
            return paths.resolve(path, from: file.hasPrefix("/") && folder.isEmpty ? "/" : folder)
        case .environment: return paths.resolve(path, from: "")
        }
    }

    // MARK: - The password

    private mutating func passwordSource() -> SecretSource? {
        let sources = draft.password.sources
        guard let node = walker.seen["account.password"], node.value != .null else {
            return loader.makesPassword ? standardPasswordFile().map { .file($0) } : nil
        }
        guard sources.count <= 1 else {
            walker.report(.severalSecretSources, "account.password", node.position)
            return nil
        }
        if sources.isEmpty, case .object(let members) = node.value, members.isEmpty {
            walker.report(.missing, "account.password", node.position)
        }
        return sources.first
    }

    /// Beside the configuration, or else beside the journal.
    private mutating func standardPasswordFile() -> String? {
        switch origin {
        case .file(let file): return StandardPaths.passwordFile(besides: file)
        case .environment:
            return journalPath().map { JournalFiles.folder(of: $0) + "/password" }
        }
    }

    private func isMissing(_ source: SecretSource?) -> Bool {
        guard case .file(let path)? = source else { return false }
        let contents = loader.surroundings.read(resolved(path), limit: ConfigurationLoader.secretLimit)
        return contents == .failure(.notFound)
    }

    private mutating func resolve(_ source: SecretSource) -> Secret? {
        let node = walker.seen["account.password"]
        switch SecretReader(loader: loader).read(source.mapPath(resolved)) {
        case .failure(let found):
            let kind = isWithoutPassword(source, found) ? .passwordNotMade(found, bot: loader.bot) : found
            walker.report(kind, "account.password" + source.keySuffix, node?.position)
            return nil
        case .success(let secret):
            switch source {
            case .plain: return checkedPlain(secret, at: node)
            case .file(let file):
                noteOpenFile(resolved(file))
                noteChange(of: resolved(file))
            case .environment, .command, .credential: break
            }
            return secret
        }
    }

    /// Whether nobody has written the password yet into the file that `init` has named.
    private func isWithoutPassword(_ source: SecretSource, _ found: ConfigurationProblem.Kind) -> Bool {
        guard case .file(let path) = source, case .file(let file) = origin,
            resolved(path) == resolved(StandardPaths.passwordFile(besides: file))
        else { return false }
        switch found {
        case .secretFileUnreadable(_, let reason): return reason == FileTrouble.notFound.phrase
        case .secretFileEmpty: return true
        default: return false
        }
    }

    private mutating func checkedPlain(_ secret: Secret, at node: JSONNode?) -> Secret? {
        guard case .file(let file) = origin, fileMode & 0o066 != 0 else { return secret }
        walker.report(.plainSecretReadable(file: file, mode: fileMode), "account.password", node?.position)
        return nil
    }

    /// A change that was interrupted leaves the new password beside the old one.
    private mutating func noteChange(of path: String) {
        let file = PasswordFile(path: path)
        switch file.waiting(loader.surroundings.read(file.draft, limit: ConfigurationLoader.secretLimit)) {
        case .nothing: break
        case .password: notes.append(AccountPhrases.unfinishedChange(bot: loader.bot, draft: file.draft))
        case .unusable(let reason): notes.append(AccountPhrases.unusableDraft(file.draft, reason))
        }
    }

    /// A container's secret files are often readable by all, so this is a note and no refusal.
    private mutating func noteOpenFile(_ path: String) {
        guard case .success(let contents) = loader.surroundings.read(path, limit: ConfigurationLoader.secretLimit),
            contents.isOpenToOthers
        else { return }
        noteOpenFile(path, mode: contents.mode, "account.password.file")
    }

    mutating func noteOpenFile(_ path: String, mode: UInt32, _ key: String) {
        notes.append(
            "\(key): others can read \(path) (mode 0\(String(mode, radix: 8))); "
                + "chmod 600 \(ShellWord.quoted(path)) mends that.")
    }
}
