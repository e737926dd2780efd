extension WrongConfigurationTests {
    /// Cases of whole files.
    static let wholeFiles: [(text: String, complaints: [String])] =
        [
            (
                "{}",
                [
                    "1:1: account.jid: It is missing; add \"jid\": \"bot@example.org\" to \"account\".",
                    "1:1: account.password: It is missing; add \"password\": {\"env\": "
                        + "\"BELLHOP_PASSWORD\"} to \"account\", or file, command or credential in place of env.",
                ]
            ),
            (
                "[]",
                [
                    "1:1: This must be an object, not a list."
                ]
            ),
            (
                "{\"account\": {}}",
                [
                    "1:13: account.jid: It is missing; add \"jid\": \"bot@example.org\" to \"account\".",
                    "1:13: account.password: It is missing; add \"password\": {\"env\": "
                        + "\"BELLHOP_PASSWORD\"} to \"account\", or file, command or credential in place of env.",
                ]
            ),
            (
                "{\"account\": {\"jid\": null, \"password\": \"hunter2\"}}",
                [
                    "1:13: account.jid: It is missing; add \"jid\": \"bot@example.org\" to \"account\"."
                ]
            ),
            (
                "{\"account\": {\"jid\": \"bot@example.org\"}}",
                [
                    "1:13: account.password: It is missing; add \"password\": {\"env\": "
                        + "\"BELLHOP_PASSWORD\"} to \"account\", or file, command or credential in place of env."
                ]
            ),
            (
                "{\"account\": {\"jid\": \"bot@example.org/x\", \"password\": \"hunter2\"}}",
                [
                    "1:21: account.jid: \"bot@example.org/x\" has a resource; write the address without "
                        + "the slash and what follows it, and set account.resource if need be."
                ]
            ),
            (
                "{\"account\": {\"jid\": \"example.org\", \"password\": \"hunter2\"}}",
                [
                    "1:21: account.jid: \"example.org\" has no @; write a whole address, like "
                        + "\"alice@example.org\"."
                ]
            ),
            (
                "{\"account\": {\"jid\": \"bot example\", \"password\": \"hunter2\"}}",
                [
                    "1:21: account.jid: \"bot example\" is no address: the domain is not a host name."
                ]
            ),
            (
                "{\"account\": 5}",
                [
                    "1:13: account: This must be an object, not a number."
                ]
            ),
            (
                "",
                [
                    "1:1: The file is empty."
                ]
            ),
            (
                "// nothing",
                [
                    "1:11: The file is empty."
                ]
            ),
            (
                "{\"account\": {\"jid\": \"bot@example.org\", \"password\": hunter2}}",
                [
                    "1:52: Text must stand in double quotes."
                ]
            ),
            (
                "{\"account\": {\"jid\": \"bot@example.org\", \"password\": 'hunter2'}}",
                [
                    "1:52: Text must stand in double quotes, not in single ones."
                ]
            ),
            (
                "{\"account\": {\"jid\": \"bot@example.org\" \"password\": \"hunter2\"}}",
                [
                    "1:39: A comma or } is missing before this."
                ]
            ),
            (
                "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"hunter2}}",
                [
                    "1:52: The text that starts here is never closed with a double quote."
                ]
            ),
            (
                "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"hun\"ter2\"}}",
                [
                    "1:57: A comma or } is missing before this."
                ]
            ),
            (
                "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"hun\\qter2\"}}",
                [
                    "1:56: There is no such escape; a backslash itself is written as \\\\."
                ]
            ),
            (
                "{\"account\": {\n  \"jid\": \"bot@example.org\",\n  \"password\" \"hunter2\"}}",
                [
                    "3:14: A colon is missing here, between a key and its value."
                ]
            ),
            (
                "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"hunter2\"}",
                [
                    "1:62: The text ends before the { in line 1, column 1 is closed."
                ]
            ),
            (
                "{\"commands\": {\"timeout\": 30s}}",
                [
                    "1:26: This is no number; a number with a unit must stand in double quotes, like "
                        + "\"30s\"."
                ]
            ),
            (
                "{\"a\": 1} {\"b\": 2}",
                [
                    "1:10: The configuration is complete before this; nothing may follow."
                ]
            ),
            (
                "{\"a\": /* x }",
                [
                    "1:7: The comment that starts here is never closed with */."
                ]
            ),
            (
                "{'a': 1}",
                [
                    "1:2: Text must stand in double quotes, not in single ones."
                ]
            ),
            (
                "{a: 1}",
                [
                    "1:2: A key in double quotes, or }, is missing here."
                ]
            ),
        ]
}
