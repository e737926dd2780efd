/// Where the files of a bot stand when nobody says otherwise (XDG Base Directory Specification, systemd.exec(5)).
package struct StandardPaths {
    private let bot: String
    private let surroundings: any Surroundings

    package init(bot: String, surroundings: any Surroundings) {
        self.bot = bot
        self.surroundings = surroundings
    }

    /// Where a configuration is looked for, in this order.
    package var configurations: [String] { [ownConfiguration, "/etc/bellhop/\(bot).json"].compactMap { $0 } }

    /// Where a new configuration goes; nil without a home directory.
    package var ownConfiguration: String? {
        folder("XDG_CONFIG_HOME", inHome: ".config").map { "\($0)/bellhop/\(bot).json" }
    }

    /// The journal; nil without a home directory and without a directory from systemd.
    package var journal: String? {
        // systemd may name several directories, with colons between them.
        if let state = absolute("STATE_DIRECTORY")?.split(separator: ":").first { return "\(state)/journal.db" }
        return folder("XDG_STATE_HOME", inHome: ".local/state").map { "\($0)/bellhop/\(bot)/journal.db" }
    }

    /// The name of the file beside a configuration for a password that `register` makes.
    static func passwordFile(besides configuration: String) -> String {
        let name = configuration.split(separator: "/").last.map(String.init) ?? configuration
        return (name.hasSuffix(".json") ? String(name.dropLast(5)) : name) + ".password"
    }

    /// A path from a configuration: `~/` is the home directory, what is relative starts at `folder`.
    func resolve(_ path: String, from folder: String) -> String {
        if path.hasPrefix("~/"), let home = absolute("HOME") { return home + path.dropFirst() }
        if path.hasPrefix("/") || folder.isEmpty { return path }
        return folder + "/" + path
    }

    private func folder(_ variable: String, inHome path: String) -> String? {
        absolute(variable) ?? absolute("HOME").map { "\($0)/\(path)" }
    }

    /// A variable that holds an absolute path; the specification says to ignore others.
    private func absolute(_ variable: String) -> String? {
        guard let value = surroundings.variable(variable), value.hasPrefix("/") else { return nil }
        var path = value
        while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
        return path == "/" ? "" : path
    }
}
