internal import BellhopDiagnostics
package import BellhopXMPP

/// How `status` shows a bot, at the command line and in the chat.
package enum StatusText {
    /// One fact a line; `offset` tells how far the clock to show stands from UTC at a moment, in seconds.
    package static func text(_ status: BotStatus, offset: (Timestamp) -> Int) -> String {
        func moment(_ moment: Timestamp) -> String { MomentText.show(moment, offset: offset(moment)) }
        var lines: [(name: String, value: String)] = []
        switch status.connection {
        case .online: lines.append(("state", "online since \(moment(status.since))"))
        case .connecting: lines.append(("state", "connecting; not online since \(moment(status.since))"))
        case .waiting(let next):
            lines.append(("state", "waiting until \(moment(next)); not online since \(moment(status.since))"))
        }
        if let pause = status.pause {
            let waiting = pause.commands == 1 ? "1 command waits" : "\(pause.commands) commands wait"
            lines.append(("paused", "since \(moment(pause.since)) by \(pause.by); \(waiting)"))
        }
        lines.append(("account", status.login?.jid ?? status.account))
        if let login = status.login {
            lines.append(("server", "\(login.server), \(login.tls ?? "no encryption"), \(login.mechanism)"))
        }
        lines.append(("contacts", "\(status.contacts)"))
        lines.append(("requests waiting", "\(status.requests)"))
        let unknown = "not known; the journal cannot be read"
        lines.append(("messages to send", status.queued.map(String.init) ?? unknown))
        lines.append(("messages that came back", status.failed.map { "\($0) in the last day" } ?? unknown))
        lines.append(("messages logged", "\(status.logged)"))
        if let trouble = status.trouble {
            lines.append(("last error", "\(moment(trouble.at)): \(trouble.reason)"))
        }
        lines.append(("version", "\(status.version), running for \(period(status.uptime))"))
        return lines.map { "\($0.name): \(VisibleText.oneLine($0.value))" }.joined(separator: "\n")
    }

    /// In the two largest units, like `3 d 4 h`.
    static func period(_ seconds: Int) -> String {
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        let shown = parts.drop { $0.0 == 0 }.prefix(2)
        return shown.isEmpty ? "0 s" : shown.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
