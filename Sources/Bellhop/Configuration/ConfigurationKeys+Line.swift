/// How the bot finds out that its line is dead, and how soon it comes back.
extension ConfigurationKeys {
    static func line(_ fresh: ConfigurationDraft) -> [ConfigurationKey<ConfigurationDraft>] {
        [
            ConfigurationKey(
                "account.ping.every", .durationOrOff(.seconds(1)...day), \.connection.ping.every, in: fresh,
                example: "\"30s\"",
                "After how much silence the server is asked whether it is still there; `\"off\"` never asks."),
            ConfigurationKey(
                "account.ping.timeout", .duration(.seconds(1) ... .seconds(600)), \.connection.ping.timeout, in: fresh,
                example: "\"5s\"",
                "How long the server may take to answer that, before the connection counts as dead and is made anew."),
            ConfigurationKey(
                "account.reconnect.spread", .duration(.zero ... .seconds(600)), \.connection.reconnectSpread, in: fresh,
                example: "\"0s\"",
                "After the server itself went away (a restart, say) the bot tries again at a random moment within so long, then "
                    + "within twice as long, and so on, so that a thousand bots do not all come back in the same second; `\"0s\"` is for "
                    + "a bot that is alone there. A line that was merely cut is made anew within a second."),
        ]
    }
}
