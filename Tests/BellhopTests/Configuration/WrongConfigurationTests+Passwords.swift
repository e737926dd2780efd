extension WrongConfigurationTests {
    /// Cases whose text is the password, in the second line.
    static let passwords: [(text: String, complaints: [String])] =
        [
            (
                "\"\"",
                [
                    "2:1: account.password: The password is empty."
                ]
            ),
            (
                "[\"hunter2\"]",
                [
                    "2:1: account.password: This must be text, or an object with one of env, file, "
                        + "command, credential, not a list."
                ]
            ),
            (
                "5",
                [
                    "2:1: account.password: This must be text, or an object with one of env, file, "
                        + "command, credential, not a number."
                ]
            ),
            (
                "{}",
                [
                    "2:1: account.password: It is missing; add \"password\": {\"env\": "
                        + "\"BELLHOP_PASSWORD\"} to \"account\", or file, command or credential in place of env."
                ]
            ),
            (
                "{\"env\": \"hunter2!\"}",
                [
                    "2:9: account.password.env: This is no name of an environment variable; write "
                        + "letters, digits and underscores, like \"BELLHOP_PASSWORD\"."
                ]
            ),
            (
                "{\"env\": \"NOT_SET\"}",
                [
                    "2:1: account.password.env: The environment variable NOT_SET is not set; set it where the bot is started, or take the value from a file."
                ]
            ),
            (
                "{\"envv\": \"NOT_SET\"}",
                [
                    "2:2: account.password.envv: There is no such key; did you mean \"env\"?"
                ]
            ),
            (
                "{\"file\": \"none.txt\"}",
                [
                    "2:1: account.password.file: The file \"none.txt\" can't be read: there is no such "
                        + "file."
                ]
            ),
            (
                "{\"command\": \"pass show bot\"}",
                [
                    "2:13: account.password.command: This must be a list: the program and its "
                        + "arguments, not text."
                ]
            ),
            (
                "{\"command\": []}",
                [
                    "2:13: account.password.command: This must be a list: the program and its "
                        + "arguments, not an empty list."
                ]
            ),
            (
                "{\"command\": [\"nothing\", 5]}",
                [
                    "2:25: account.password.command[1]: This must be text, not a number."
                ]
            ),
            (
                "{\"command\": [\"nothing\"]}",
                [
                    "2:1: account.password.command: The program \"nothing\" can't be started: No such "
                        + "file or directory."
                ]
            ),
            (
                "{\"credential\": \"../x\"}",
                [
                    "2:16: account.password.credential: This is no name of a credential; write a file "
                        + "name without a folder."
                ]
            ),
            (
                "{\"credential\": \"pw\"}",
                [
                    "2:1: account.password.credential: The credential \"pw\" is given by systemd only: "
                        + "CREDENTIALS_DIRECTORY is not set; add LoadCredential= to the unit."
                ]
            ),
            (
                "{\"env\": \"A\", \"file\": \"b\"}",
                [
                    "2:1: account.password: There is more than one of env, file, command and "
                        + "credential; keep one."
                ]
            ),
            (
                "null",
                [
                    "1:13: account.password: It is missing; add \"password\": {\"env\": "
                        + "\"BELLHOP_PASSWORD\"} to \"account\", or file, command or credential in place of env."
                ]
            ),
        ]
}
