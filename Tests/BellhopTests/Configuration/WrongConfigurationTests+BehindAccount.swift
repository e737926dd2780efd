extension WrongConfigurationTests {
    /// Cases whose text stands behind a right account, in the second line.
    static let behindAccount: [(text: String, complaints: [String])] =
        [
            (
                "\"admns\": []",
                [
                    "2:1: admns: There is no such key; did you mean \"admins\"?"
                ]
            ),
            (
                "\"journal\": {\"backup\": {\"folder\": \"/b\"}}",
                ["2:23: journal.backup.every: It is missing; add \"every\": \"24h\"."]
            ),
            (
                "\"journal\": {\"keep\": 90}",
                ["2:21: journal.keep: This must be \"forever\", or a duration like \"90d\", not a number."]
            ),
            (
                "\"journal\": {\"keep\": \"90\"}",
                [
                    "2:21: journal.keep: This is no duration; write a whole number and s, m, h or d, like "
                        + "\"30s\", \"2m\", \"1h\" or \"2d\"."
                ]
            ),
            (
                "\"Admins\": []",
                [
                    "2:1: Admins: There is no such key; did you mean \"admins\"?"
                ]
            ),
            (
                "\"jid\": \"x@example.org\"",
                [
                    "2:1: jid: There is no such key; did you mean \"account.jid\"?"
                ]
            ),
            (
                "\"rules\": []",
                [
                    "2:1: rules: There is no such key; did you mean \"subscriptions.rules\"?"
                ]
            ),
            (
                "\"frobnicate\": 1",
                [
                    "2:1: frobnicate: There is no such key; known here: account, admins, roles, presence, "
                        + "subscriptions, commands, journal, archive, diagnostics, bot."
                ]
            ),
            (
                "\"admins\": [], \"admins\": []",
                [
                    "2:15: admins: The key stands here a second time; the first is in line 2, column 1."
                ]
            ),
            (
                "\"admins\": \"you@example.org\"",
                [
                    "2:11: admins: This must be a list of addresses, not text."
                ]
            ),
            (
                "\"admins\": [\"david\"]",
                [
                    "2:12: admins[0]: \"david\" has no @; write a whole address, like "
                        + "\"alice@example.org\"."
                ]
            ),
            (
                "\"admins\": [\"a@example.org\", \"a@example.org/phone\"]",
                [
                    "2:29: admins[1]: \"a@example.org/phone\" has a resource; write the address without "
                        + "the slash and what follows it."
                ]
            ),
            (
                "\"admins\": [\"a@example.org\", \"A@Example.ORG\"]",
                [
                    "2:29: admins[1]: \"a@example.org\" stands in the list already, as number 0 "
                        + "(counted from 0)."
                ]
            ),
            (
                "\"admins\": [\"a b@example.org\", \"@example.org\", \"a@\", \"\", 5, \"x@y@z\"]",
                [
                    "2:12: admins[0]: \"a b@example.org\" is no address: the local part holds a space.",
                    "2:31: admins[1]: \"@example.org\" is no address: nothing stands before the @.",
                    "2:47: admins[2]: \"a@\" is no address: the domain is missing.",
                    "2:53: admins[3]: \"\" is no address: it is empty.",
                    "2:57: admins[4]: This must be an address like \"bot@example.org\", not a number.",
                    "2:60: admins[5]: \"x@y@z\" is no address: the domain is not a host name.",
                ]
            ),
            (
                "\"admins\": null",
                [
                    "2:11: admins: This must be a list of addresses, not null."
                ]
            ),
            (
                "\"presence\": []",
                [
                    "2:13: presence: This must be an object, not a list."
                ]
            ),
            (
                "\"presence\": {\"show\": \"online\"}",
                [
                    "2:22: presence.show: \"online\" is not allowed; this must be one of \"available\", "
                        + "\"away\", \"chat\", \"dnd\", \"xa\"."
                ]
            ),
            (
                "\"presence\": {\"show\": true}",
                [
                    "2:22: presence.show: This must be one of \"available\", \"away\", \"chat\", "
                        + "\"dnd\", \"xa\", not true."
                ]
            ),
            (
                "\"presence\": {\"shown\": \"chat\"}",
                [
                    "2:14: presence.shown: There is no such key; did you mean \"show\"?"
                ]
            ),
            (
                "\"presence\": {\"status\": \"\"}",
                [
                    "2:24: presence.status: The text is empty; leave the key out or write something."
                ]
            ),
            (
                "\"presence\": {\"status\": \"a\\nb\"}",
                [
                    "2:24: presence.status: The text holds a control character."
                ]
            ),
            (
                "\"presence\": {\"priority\": 128}",
                [
                    "2:26: presence.priority: This must be at least -128 and at most 127."
                ]
            ),
            (
                "\"presence\": {\"priority\": -129}",
                [
                    "2:26: presence.priority: This must be at least -128 and at most 127."
                ]
            ),
            (
                "\"presence\": {\"priority\": 1.5}",
                [
                    "2:26: presence.priority: This must be a whole number."
                ]
            ),
            (
                "\"presence\": {\"priority\": \"5\"}",
                [
                    "2:26: presence.priority: This must be a number, not text."
                ]
            ),
            (
                "\"presence\": {\"priority\": 99999999999999999999}",
                [
                    "2:26: presence.priority: This must be a whole number."
                ]
            ),
            (
                "\"subscriptions\": {\"default\": \"acept\"}",
                [
                    "2:30: subscriptions.default: \"acept\" is not allowed; this must be one of "
                        + "\"accept\", \"accept-mutual\", \"ask\", \"reject\", \"ignore\", \"block\"."
                ]
            ),
            (
                "\"subscriptions\": {\"defualt\": \"ask\"}",
                [
                    "2:19: subscriptions.defualt: There is no such key; did you mean \"default\"?"
                ]
            ),
            (
                "\"subscriptions\": {\"greeting\": 7}",
                [
                    "2:31: subscriptions.greeting: This must be text, not a number."
                ]
            ),
            (
                "\"subscriptions\": {\"rules\": {}}",
                [
                    "2:28: subscriptions.rules: This must be a list of rules, not an object."
                ]
            ),
            (
                "\"subscriptions\": {\"limitPerDomain\": \"none\"}",
                [
                    "2:37: subscriptions.limitPerDomain: \"none\" is not allowed; this must be \"off\"."
                ]
            ),
            (
                "\"subscriptions\": {\"limitPerDomain\": 20}",
                [
                    "2:37: subscriptions.limitPerDomain: This must be \"off\", or an object with count "
                        + "and per, not a number."
                ]
            ),
            (
                "\"subscriptions\": {\"limitPerDomain\": {\"count\": 20}}",
                [
                    "2:37: subscriptions.limitPerDomain.per: It is missing; add \"per\": \"1m\"."
                ]
            ),
            (
                "\"subscriptions\": {\"limitPerDomain\": {\"per\": \"1m\"}}",
                [
                    "2:37: subscriptions.limitPerDomain.count: It is missing; add \"count\": 20."
                ]
            ),
            (
                "\"subscriptions\": {\"limitPerDomain\": {\"count\": 0, \"per\": \"0s\"}}",
                [
                    "2:47: subscriptions.limitPerDomain.count: This must be at least 1 and at most 1000000.",
                    "2:57: subscriptions.limitPerDomain.per: This must be at least \"1s\" and at most "
                        + "\"365d\".",
                ]
            ),
            (
                "\"subscriptions\": {\"limitPerDomain\": {\"count\": 1, \"pre\": \"1m\"}}",
                [
                    "2:37: subscriptions.limitPerDomain.per: It is missing; add \"per\": \"1m\".",
                    "2:50: subscriptions.limitPerDomain.pre: There is no such key; did you mean \"per\"?",
                ]
            ),
            (
                "\"commands\": {\"prefix\": \"\"}",
                [
                    "2:24: commands.prefix: The text is empty; leave the key out or write something."
                ]
            ),
            (
                "\"commands\": {\"prefix\": \"! \"}",
                [
                    "2:24: commands.prefix: The prefix may hold neither spaces nor control characters."
                ]
            ),
            (
                "\"commands\": {\"prefix\": \"123456789\"}",
                [
                    "2:24: commands.prefix: The text is longer than 8 bytes."
                ]
            ),
            (
                "\"commands\": {\"maxAge\": 120}",
                [
                    "2:24: commands.maxAge: This must be a duration like \"30s\", not a number."
                ]
            ),
            (
                "\"commands\": {\"maxAge\": \"2 minutes\"}",
                [
                    "2:24: commands.maxAge: This is no duration; write a whole number and s, m, h or d, "
                        + "like \"30s\", \"2m\", \"1h\" or \"2d\"."
                ]
            ),
            (
                "\"commands\": {\"maxAge\": \"2M\"}",
                [
                    "2:24: commands.maxAge: This is no duration; write a whole number and s, m, h or d, "
                        + "like \"30s\", \"2m\", \"1h\" or \"2d\"."
                ]
            ),
            (
                "\"commands\": {\"maxAge\": \"-2m\"}",
                [
                    "2:24: commands.maxAge: This is no duration; write a whole number and s, m, h or d, "
                        + "like \"30s\", \"2m\", \"1h\" or \"2d\"."
                ]
            ),
            (
                "\"commands\": {\"maxAge\": \"31d\"}",
                [
                    "2:24: commands.maxAge: This must be at least \"1s\" and at most \"30d\"."
                ]
            ),
            (
                "\"commands\": {\"timeout\": \"99999999999d\"}",
                [
                    "2:25: commands.timeout: This is no duration; write a whole number and s, m, h or "
                        + "d, like \"30s\", \"2m\", \"1h\" or \"2d\"."
                ]
            ),
            (
                "\"commands\": {\"loopBrake\": true}",
                [
                    "2:27: commands.loopBrake: This must be a number or false, not true."
                ]
            ),
            (
                "\"commands\": {\"loopBrake\": 0}",
                [
                    "2:27: commands.loopBrake: This must be at least 1 and at most 1000000."
                ]
            ),
            (
                "\"commands\": {\"inputLimit\": 255}",
                [
                    "2:28: commands.inputLimit: This must be at least 256 and at most 1048576."
                ]
            ),
            (
                "\"commands\": {\"language\": \"german!\"}",
                [
                    "2:26: commands.language: This is no language tag; write one like \"en\" or \"pt-BR\"."
                ]
            ),
            (
                "\"journal\": {\"path\": \"\"}",
                [
                    "2:21: journal.path: The text is empty; leave the key out or write something."
                ]
            ),
            (
                "\"journal\": {\"durability\": \"high\"}",
                [
                    "2:27: journal.durability: \"high\" is not allowed; this must be one of \"normal\", "
                        + "\"full\"."
                ]
            ),
            (
                "\"journal\": {\"bodyLimit\": 10}",
                [
                    "2:26: journal.bodyLimit: This must be at least 1024 and at most 16777216."
                ]
            ),
            (
                "\"diagnostics\": {\"level\": \"warn\"}",
                [
                    "2:26: diagnostics.level: \"warn\" is not allowed; this must be one of \"trace\", "
                        + "\"debug\", \"info\", \"warning\", \"error\"."
                ]
            ),
            (
                "\"diagnostics\": {\"format\": \"xml\"}",
                [
                    "2:27: diagnostics.format: \"xml\" is not allowed; this must be one of \"text\", "
                        + "\"json\"."
                ]
            ),
        ]
}
