/// In which keys two configurations differ; never what they hold.
struct ConfigurationChanges: Equatable, Sendable {
    /// In force at once, in the order of the documentation.
    var applied: [String]
    /// In force after a restart.
    var postponed: [String]

    init(applied: [String], postponed: [String]) {
        self.applied = applied
        self.postponed = postponed
    }

    /// - Parameters:
    ///   - started: What the process was started with, which is what holds for keys that need a restart.
    ///   - current: What was applied last.
    init(started: LoadedConfiguration, current: LoadedConfiguration, new: LoadedConfiguration) {
        applied = Self.differing(current, new).filter { !ConfigurationKeys.needsRestart($0) }
        postponed = Self.differing(started, new).filter { ConfigurationKeys.needsRestart($0) }
    }

    private static func differing(_ old: LoadedConfiguration, _ new: LoadedConfiguration) -> [String] {
        var paths = ConfigurationKeys.all.filter { $0.differs(old.draft, new.draft) }.map(\.path)
        // The same file, program or credential may hold another password now.
        let hasNewPassword = old.configuration.account.password != new.configuration.account.password
        if hasNewPassword && !paths.contains(where: { $0.hasPrefix("account.password") }) {
            paths.insert("account.password", at: 0)
        }
        // So may the variables of programs.
        if old.configuration.commands.list != new.configuration.commands.list && !paths.contains("commands.list") {
            paths.append("commands.list")
        }
        return paths
    }
}
