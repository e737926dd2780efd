/// How fast the bot sends, and how fast it takes up what one person writes.
extension ConfigurationKeys {
    static func sending(_ fresh: ConfigurationDraft) -> [ConfigurationKey<ConfigurationDraft>] {
        [
            ConfigurationKey(
                "account.sending.perSecond", .integerOrFalse(1...100_000), \.connection.sending.perSecond, in: fresh,
                example: "20",
                "How many messages a second the bot sends, for servers that cut off who sends more; what is above that waits, "
                    + "each person in turn. `false` sends as fast as the server takes it."),
            ConfigurationKey(
                "account.sending.burst", .integer(1...100_000), \.connection.sending.burst, in: fresh, example: "40",
                "How many messages leave at once after a rest, before that pace holds."),
        ]
    }

    static func perPerson(_ fresh: ConfigurationDraft) -> [ConfigurationKey<ConfigurationDraft>] {
        [
            ConfigurationKey(
                "commands.perPerson.perSecond", .integerOrFalse(1...100_000), \.commands.perPerson.perSecond, in: fresh,
                example: "5",
                "How many messages of one person are taken up a second; what they write faster is logged at once and handled "
                    + "later, in its order. `false` takes them up as they come."),
            ConfigurationKey(
                "commands.perPerson.burst", .integer(1...100_000), \.commands.perPerson.burst, in: fresh, example: "50",
                "How many of them are taken up at once after a rest, before that pace holds."),
        ]
    }
}
