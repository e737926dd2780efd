extension WrongConfigurationTests {
    /// Cases whose text stands in the list of rules, in the third line.
    static let inRules: [(text: String, complaints: [String])] =
        [
            (
                "5",
                [
                    "3:1: subscriptions.rules[0]: This must be an object, not a number."
                ]
            ),
            (
                "{\"match\": \"*@example.org\"}",
                [
                    "3:1: subscriptions.rules[0].action: It is missing; add \"action\": \"accept-mutual\"."
                ]
            ),
            (
                "{\"action\": \"accept\"}",
                [
                    "3:1: subscriptions.rules[0].match: It is missing; add \"match\": \"*@example.org\"."
                ]
            ),
            (
                "{}",
                [
                    "3:1: subscriptions.rules[0].match: It is missing; add \"match\": \"*@example.org\".",
                    "3:1: subscriptions.rules[0].action: It is missing; add \"action\": \"accept-mutual\".",
                ]
            ),
            (
                "{\"match\": \"*\", \"action\": \"accept\"}, {\"match\": \"a b\", \"action\": \"allow\"}",
                [
                    "3:47: subscriptions.rules[1].match: \"a b\" is no pattern for addresses: the "
                        + "domain is not a host name.",
                    "3:64: subscriptions.rules[1].action: \"allow\" is not allowed; this must be one of "
                        + "\"accept\", \"accept-mutual\", \"ask\", \"reject\", \"ignore\", \"block\".",
                ]
            ),
            (
                "{\"match\": \"example.org/x\", \"action\": \"accept\", \"gruop\": \"x\"}",
                [
                    "3:11: subscriptions.rules[0].match: \"example.org/x\" is no pattern for addresses: "
                        + "the domain holds \"/\".",
                    "3:48: subscriptions.rules[0].gruop: There is no such key; did you mean \"group\"?",
                ]
            ),
            (
                "{\"match\": \"\", \"action\": \"accept\"}",
                [
                    "3:11: subscriptions.rules[0].match: \"\" is no pattern for addresses: it is empty."
                ]
            ),
            (
                "{\"match\": \"*\", \"action\": \"accept\", \"limit\": {\"count\": 5}}",
                [
                    "3:45: subscriptions.rules[0].limit.per: It is missing; add \"per\": \"1m\"."
                ]
            ),
            (
                "{\"match\": \"*\", \"action\": \"accept\", \"limit\": false}",
                [
                    "3:45: subscriptions.rules[0].limit: This must be \"off\", or an object with count "
                        + "and per, not false."
                ]
            ),
            (
                "{\"match\": \"*\", \"match\": \"*\", \"action\": \"accept\"}",
                [
                    "3:16: subscriptions.rules[0].match: The key stands here a second time; the first "
                        + "is in line 3, column 2."
                ]
            ),
        ]
}
