extension WrongConfigurationTests {
    /// What is wrong with one command that is otherwise `{"name": "x", "run": ["x"], "open": true}`.
    private static func with(_ more: String, run: String = "[\"x\"]") -> String {
        "{\"name\": \"x\", \"open\": true, \"run\": \(run), \(more)}"
    }

    private static let who =
        "Who may run this command? Add \"allow\": [\"ops\"] with a role of \"roles\", or \"open\": true for everybody."

    /// Cases whose text stands in the list of commands, in the third line.
    static let inPrograms: [(text: String, complaints: [String])] = [
        ("5", ["3:1: commands.list[0]: This must be an object, not a number."]),
        (
            "{}",
            [
                "3:1: commands.list[0].name: It is missing; add \"name\": \"uptime\".",
                "3:1: commands.list[0].run: It is missing; add \"run\": [\"uptime\", \"-p\"].",
                "3:1: commands.list[0]: \(who)",
            ]
        ),
        ("{\"name\": \"x\", \"run\": [\"x\"]}", ["3:1: commands.list[0]: \(who)"]),
        (
            "{\"name\": \"x\", \"run\": [\"x\"], \"allow\": []}",
            ["3:38: commands.list[0].allow: The list is empty; write [\"admins\"] if only admins may run it."]
        ),
        (
            "{\"name\": \"x\", \"run\": [\"x\"], \"allow\": [\"op\"]}",
            ["3:39: commands.list[0].allow[0]: There is no role \"op\"; did you mean \"ops\"?"]
        ),
        (
            "{\"name\": \"x\", \"run\": [\"x\"], \"open\": false}",
            [
                "3:37: commands.list[0].open: For whom is it then? Write \"allow\" with a list of roles in place of \"open\"."
            ]
        ),
        (
            "{\"name\": \"x\", \"run\": [\"x\"], \"open\": true, \"allow\": [\"ops\"]}",
            ["3:52: commands.list[0].allow: With \"open\" this decides nothing; remove one of them."]
        ),
        (
            "{\"name\": \"a b\", \"run\": [\"x\"], \"open\": true}",
            [
                "3:10: commands.list[0].name: The command name \"a b\" cannot be typed: it must start with a letter or digit and hold no white space."
            ]
        ),
        (
            "{\"name\": \"Help\", \"run\": [\"x\"], \"open\": true}",
            ["3:10: commands.list[0].name: The command name \"Help\" is built in; choose another."]
        ),
        (
            "{\"name\": \"x\", \"run\": [\"x\"], \"open\": true}, {\"name\": \"X\", \"run\": [\"x\"], \"open\": true}",
            [
                "3:44: commands.list[1].name: Number 0 of the list (counted from 0) has this name already; upper and lower case are the same."
            ]
        ),
        (
            with("\"runs\": 1"), ["3:43: commands.list[0].runs: There is no such key; did you mean \"run\"?"]
        ),
        (
            with("\"help\": \"\"", run: "[]"),
            [
                "3:36: commands.list[0].run: This must be a list: the program and its arguments, not an empty list.",
                "3:48: commands.list[0].help: The text is empty; leave the key out or write something.",
            ]
        ),
        (
            with("\"arguments\": [{\"name\": \"unit\"}]", run: "[\"{unit}\", \"{unit}\"]"),
            [
                "3:36: commands.list[0].run[0]: The program itself can't be \"{unit}\", since a person would choose what is run; write its name."
            ]
        ),
        (
            with("\"arguments\": [{\"name\": \"unit\"}]", run: "[\"x\", \"{unit}{units}\"]"),
            ["3:36: commands.list[0].run[1]: No argument is called \"units\"; did you mean \"{unit}\"?"]
        ),
        (
            with("\"help\": \"h\"", run: "[\"x\", \"a{b}c\"]"),
            [
                "3:36: commands.list[0].run[1]: No argument is called \"b\"; declare it in \"arguments\", or write \"{{b}}\" for the braces themselves."
            ]
        ),
        (
            with("\"arguments\": [{\"name\": \"unit\"}]"),
            [
                "3:56: commands.list[0].arguments[0]: The argument is asked for and never used; write \"{unit}\" into \"run\", or set \"pass\"."
            ]
        ),
        (
            with("\"pass\": \"json\", \"arguments\": [{\"name\": \"a b\", \"kind\": \"word\"}]"),
            [
                "3:82: commands.list[0].arguments[0].name: This is no name for an argument; write letters, digits, dashes and underscores, and a letter first.",
                "3:97: commands.list[0].arguments[0].kind: \"word\" is not allowed; this must be one of \"text\", \"integer\", \"number\", \"flag\", \"choice\", \"rest\".",
            ]
        ),
        (
            with("\"pass\": \"json\", \"arguments\": [{\"kind\": \"choice\"}]"),
            [
                "3:73: commands.list[0].arguments[0].name: It is missing; add \"name\": \"unit\".",
                "3:73: commands.list[0].arguments[0].choices: It is missing; add \"choices\": [\"nginx\", \"postgresql\"].",
            ]
        ),
        (
            with("\"pass\": \"json\", \"arguments\": [{\"name\": \"a\", \"choices\": [\"x\"]}]"),
            [
                "3:98: commands.list[0].arguments[0].choices: Only an argument of the kind \"choice\" has choices; set \"kind\", or leave them out."
            ]
        ),
        (
            with("\"pass\": \"json\", \"arguments\": [{\"name\": \"a\", \"kind\": \"integer\", \"default\": \"x\"}]"),
            [
                "3:73: commands.list[0].arguments[0]: The argument has the default \"x\", which it would not accept."
            ]
        ),
        (
            with("\"pass\": \"json\", \"arguments\": [{\"name\": \"a\", \"optional\": true, \"default\": 5}]"),
            [
                "3:99: commands.list[0].arguments[0].optional: An argument with a default may be left out anyway; remove one of them."
            ]
        ),
        (
            with("\"pass\": \"json\", \"arguments\": [{\"name\": \"a\", \"pattern\": \"[0-9]+\", \"default\": \"x\"}]"),
            ["3:119: commands.list[0].arguments[0].default: The default does not fit \"pattern\"."]
        ),
        (
            with("\"pass\": \"json\", \"arguments\": [{\"name\": \"a\", \"pattern\": \"(\"}]"),
            [
                "3:98: commands.list[0].arguments[0].pattern: This is no regular expression (POSIX extended), like \"[a-z0-9.-]+\"."
            ]
        ),
        (
            with("\"pass\": \"json\", \"arguments\": [{\"name\": \"a\", \"kind\": \"rest\"}, {\"name\": \"b\"}]"),
            [
                "3:104: commands.list[0].arguments[1]: The argument can never be read: the one before it takes the rest of the text."
            ]
        ),
        (
            with("\"env\": {\"A B\": \"x\", \"C\": {}, \"D\": {\"env\": \"NO_SUCH\"}, \"E\": {\"file\": \"no\"}}"),
            [
                "3:51: commands.list[0].env.A B: This is no name of an environment variable; write letters, digits and underscores, like \"BELLHOP_PASSWORD\".",
                "3:68: commands.list[0].env.C: This must be text, or an object with one of env, file, command, credential, not an empty object.",
            ]
        ),
        (
            with("\"env\": {\"D\": {\"env\": \"NO_SUCH\"}, \"E\": {\"file\": \"no\"}}"),
            [
                "3:56: commands.list[0].env.D: The environment variable NO_SUCH is not set; set it where the bot is started, or take the value from a file.",
                "3:81: commands.list[0].env.E: The file \"no\" can't be read: there is no such file.",
            ]
        ),
        (
            with("\"timeout\": \"0s\", \"maxOutput\": 1, \"pass\": \"shell\""),
            [
                "3:54: commands.list[0].timeout: This must be at least \"1s\" and at most \"1d\".",
                "3:73: commands.list[0].maxOutput: This must be at least 256 and at most 16777216.",
                "3:84: commands.list[0].pass: \"shell\" is not allowed; this must be one of \"argv\", \"environment\", \"json\".",
            ]
        ),
    ]
}
