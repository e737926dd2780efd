/// The keys of the commands that the configuration alone declares.
extension ConfigurationKeys {
    private typealias ProgramKey = ConfigurationKey<ProgramDraft>
    private typealias ArgumentKey = ConfigurationKey<ProgramArgumentDraft>
    private typealias SecretKey = ConfigurationKey<ConfigurationDraft.Password>

    /// The keys of one command in `commands.list`.
    static let program: [ConfigurationKey<ProgramDraft>] = {
        let fresh = ProgramDraft()
        return [
            ProgramKey(
                optional: "name", .commandName, \.name, in: fresh, example: "\"uptime\"",
                "What people type to run it, without the prefix."
            ).standing(for: "required"),
            ProgramKey(
                optional: "run", .command, \.run, in: fresh, example: "[\"uptime\", \"-p\"]",
                "The program and its arguments, run without a shell; `{unit}` in one of them stands for the argument `unit`, "
                    + "which stays one argument whatever it holds. The program is a name to look for along `PATH`, or a path."
            ).standing(for: "required"),
            ProgramKey(
                optional: "help", .text(), \.help, in: fresh, example: "\"Since when it runs\"",
                "What the help says about it."),
            ProgramKey(
                optional: "allow", .mentions, \.allowed, in: fresh, example: "[\"ops\"]",
                "The roles that may run it, besides the admins; without `allow` or `open` the bot does not start."),
            ProgramKey(
                optional: "open", .bool, \.isOpen, in: fresh, example: "true",
                "Whether everybody may run it, strangers too."),
            ProgramKey(
                "arguments", .programArguments, \.arguments, in: fresh, example: "[{\"name\": \"unit\"}]",
                "What people write behind the name, in this order."),
            ProgramKey(
                "pass", .word, \.pass, in: fresh, example: "\"json\"",
                "How the program gets the arguments: `argv` in the places of `run`, `environment` in `BELLHOP_ARG_NAME` beside "
                    + "`BELLHOP_COMMAND` and `BELLHOP_SENDER`, `json` as an object that it reads."),
            ProgramKey(
                "env", .variables, \.environment, in: fresh, example: "{\"LC_ALL\": \"C\"}",
                "Variables for the program, besides `PATH`, `HOME` and `LANG`, the only ones of the bot's own that it gets; a "
                    + "value may stand in one of the places that `account.password` has."),
            ProgramKey(
                optional: "cwd", .path, \.folder, in: fresh, example: "\"/srv\"",
                "The folder that the program starts in."
            ).standing(for: "the bot's"),
            ProgramKey(
                optional: "timeout", .duration(.seconds(1) ... .seconds(86_400)), \.timeLimit, in: fresh,
                example: "\"5m\"", "After how long it is stopped, with all that it started."
            ).standing(for: "that of commands"),
            ProgramKey(
                "maxOutput", .integer(256...16_777_216), \.outputLimit, in: fresh, example: "4096",
                "After how many bytes of output it is stopped; what came until then is said."),
            ProgramKey(
                "idempotent", .bool, \.isIdempotent, in: fresh, example: "true",
                "Whether it is simply run again when the bot was restarted while it ran."),
            ProgramKey(
                "confirm", .bool, \.isConfirmed, in: fresh, example: "true",
                "Whether the person is asked first, and has to answer yes within a minute."),
        ]
    }()

    /// The keys of one argument of such a command.
    static let programArgument: [ConfigurationKey<ProgramArgumentDraft>] = {
        let fresh = ProgramArgumentDraft()
        return [
            ArgumentKey(
                optional: "name", .argumentName, \.name, in: fresh, example: "\"unit\"",
                "What the help and the places in `run` call it."
            ).standing(for: "required"),
            ArgumentKey(
                "kind", .word, \.kind, in: fresh, example: "\"integer\"",
                "`text` is a word, or several in quotes; `flag` yes or no; `choice` one of `choices`; `rest` all that is left."
            ),
            ArgumentKey(
                optional: "choices", .texts, \.choices, in: fresh, example: "[\"nginx\", \"postgresql\"]",
                "What a `choice` may be, in any case of letters."),
            ArgumentKey(
                optional: "default", .scalar, \.fallback, in: fresh, example: "\"nginx\"",
                "What stands in its place when it is left out."),
            ArgumentKey(
                "optional", .bool, \.isOptional, in: fresh, example: "true",
                "Whether it may be left out; a word of `run` that names it is then left out, too."),
            ArgumentKey(
                optional: "help", .text(), \.help, in: fresh, example: "\"the unit to look at\"",
                "What the help says about it."),
            ArgumentKey(
                optional: "pattern", .expression, \.pattern, in: fresh, example: "\"[a-z0-9.-]+\"",
                "A POSIX extended regular expression that the whole value has to fit."),
        ]
    }()

    /// The places of a secret.
    static let secret: [ConfigurationKey<ConfigurationDraft.Password>] = {
        let fresh = ConfigurationDraft.Password()
        return [
            SecretKey(
                optional: "env", .variable, \.environment, in: fresh, example: "\"TOKEN\"",
                "The environment variable that holds it."),
            SecretKey(optional: "file", .path, \.file, in: fresh, example: "\"token\"", "The file that holds it."),
            SecretKey(
                optional: "command", .command, \.command, in: fresh, example: "[\"pass\", \"show\", \"token\"]",
                "The program that prints it."),
            SecretKey(
                optional: "credential", .credential, \.credential, in: fresh, example: "\"token\"",
                "The systemd credential that holds it."),
        ]
    }()
}
