import Bellhop
import BellhopBot
import BellhopDiagnostics
import BellhopXMPP
import Testing

@Suite("Command line")
struct InvocationTests {
    private func parse(_ line: [String]) -> Result<Invocation, UsageError> { Invocation.parse(line) }

    private func selection(_ change: (inout Invocation.LogSelection) -> Void) -> Invocation.LogSelection {
        var selection = Invocation.LogSelection()
        change(&selection)
        return selection
    }

    @Test("commands are read with their arguments")
    func right() throws {
        let ann = try JID("ann@example.org")
        var everything = Invocation.AuditSelection()
        everything.last = 5
        everything.since = .seconds(172_800)
        everything.utc = true
        everything.json = true
        let plain = Invocation.OutboxFilter()
        var narrow = plain
        narrow.to = ann
        narrow.since = .seconds(7_200)
        var failed = narrow
        failed.failedOnly = true
        let cases: [([String], Invocation.Verb)] = [
            (["outbox"], .outbox(.list(plain, json: false))), (["outbox", "list"], .outbox(.list(plain, json: false))),
            (
                ["outbox", "--failed", "--to", "ann@example.org/x", "--since=2h", "--json"],
                .outbox(.list(failed, json: true))
            ),
            (["outbox", "retry", "7"], .outbox(.change(.retry, .number(7), plain))),
            (["outbox", "drop", "7"], .outbox(.change(.drop, .number(7), plain))),
            (
                ["outbox", "retry", "all", "--to", "ann@example.org", "--since", "2h"],
                .outbox(.change(.retry, .all, narrow))
            ),
            ([], .run), (["run"], .run), (["chat"], .chat(as: nil)), (["check"], .check(online: false)),
            (["check", "--online"], .check(online: true)), (["--online", "check"], .check(online: true)),
            (["init"], .initialise), (["register"], .register(answers: [:], runs: false)),
            (
                ["register", "--run", "--field", "email=a=b", "--field", "t=1", "--field", "t=", "--field=x=y"],
                .register(answers: ["email": ["a=b"], "t": ["1", ""], "x": ["y"]], runs: true)
            ),
            (["passwd"], .changePassword(.asked)), (["passwd", "--generate"], .changePassword(.made)),
            (["passwd", "--from", "-"], .changePassword(.read(from: "-"))), (["unregister"], .unregister(nil)),
            (["send", "ann@example.org", "hello"], .send(to: ann, text: "hello")),
            (["send", "ann@example.org", "two", "words"], .send(to: ann, text: "two words")),
            (["send", "ann@example.org"], .send(to: ann, text: nil)),
            (["send", "ann@example.org/phone"], .send(to: try JID("ann@example.org/phone"), text: nil)),
            (["send", "--", "ann@example.org", "--help"], .send(to: ann, text: "--help")),
            (["roster"], .roster(.list(json: false))), (["roster", "list", "--json"], .roster(.list(json: true))),
            (["roster", "--json"], .roster(.list(json: true))),
            (["roster", "add", "Ann@Example.ORG"], .roster(.add(ann, name: nil, groups: []))),
            (
                ["roster", "add", "ann@example.org", "--name", "Ann", "--group", "A", "--group=B"],
                .roster(.add(ann, name: "Ann", groups: ["A", "B"]))
            ),
            (["roster", "remove", "ann@example.org/x"], .roster(.remove(ann))),
            (["requests"], .requests(.list(json: false))), (["requests", "list"], .requests(.list(json: false))),
            (["requests", "accept", "7"], .requests(.accept(.number(7)))),
            (["requests", "accept", "all"], .requests(.accept(.all))),
            (["requests", "deny", "@else.example"], .requests(.deny(.domain(try JID("else.example"))))),
            (["requests", "deny", "all", "@else.example"], .requests(.deny(.domain(try JID("else.example"))))),
            (["requests", "accept", "ann@example.org"], .requests(.accept(.person(ann)))),
            (["requests", "--dry-run", "-"], .requests(.dryRun(file: "-"))),
            (["chat", "--as", "Ann@Example.ORG"], .chat(as: ann)),
            (["status"], .status(json: false)), (["status", "--json"], .status(json: true)), (["pause"], .pause),
            (["resume"], .resume),
            (["log", "list"], .log(.list(json: false))),
            (["log", "show", "ann@example.org/phone"], .log(.show(ann, selection { _ in }))),
            (
                ["log", "show", "ann@example.org", "--last", "5", "--since=2d", "--follow", "--utc", "--json"],
                .log(
                    .show(
                        ann,
                        selection {
                            $0.last = 5
                            $0.since = .seconds(172_800)
                            $0.follow = true
                            $0.utc = true
                            $0.json = true
                        }))
            ),
            (["why", "ann@example.org/phone", "uptime"], .why(ann, command: "uptime")),
            (["audit"], .audit(Invocation.AuditSelection())),
            (["audit", "--last", "5", "--since=2d", "--utc", "--json"], .audit(everything)),
            (["log", "forget", "Ann@example.org/phone"], .forget(ann)),
            (["log", "fetch", "Ann@example.org/phone"], .fetch(ann, since: .seconds(7 * 86_400), json: false)),
            (
                ["log", "fetch", "ann@example.org", "--since", "2h", "--json"],
                .fetch(ann, since: .seconds(7_200), json: true)
            ),
            (["backup", "b.db"], .backup(file: "b.db", force: false)),
            (["backup", "--force", "b.db"], .backup(file: "b.db", force: true)),
            (["restore", "b.db"], .restore(file: "b.db")),
            (["--help"], .help(nil)), (["-h"], .help(nil)), (["help"], .help(nil)), (["help", "log"], .help(.log)),
            (["log", "--help"], .help(.log)), (["run", "-h"], .help(.run)), (["send", "--help"], .help(.send)),
            (["--version"], .version), (["run", "--version"], .version),
        ]
        for (line, verb) in cases { #expect(parse(line) == .success(Invocation(verb)), "\(line)") }
    }

    @Test("options of every command are read anywhere")
    func common() {
        let expected = Invocation(.chat(as: nil), configuration: "b.json", verbosity: .verbose, logFormat: .json)
        #expect(parse(["--config", "b.json", "chat", "-v", "--log-format=json"]) == .success(expected))
        #expect(parse(["chat", "--config=b.json", "--verbose", "--log-format", "json"]) == .success(expected))
        #expect(parse(["--quiet"]) == .success(Invocation(.run, verbosity: .quiet)))
        #expect(parse(["-q", "-vv"]) == .success(Invocation(.run, verbosity: .trace)))
        #expect(Verbosity.allCases.map(\.level) == [.warning, .debug, .trace])
    }

    @Test(
        "a wrong command line gets a sentence that says what to do",
        arguments: [
            (["chekc"], "There is no command \"chekc\"; did you mean \"check\"?"),
            (["frobnicate"], "There is no command \"frobnicate\"; echobot --help lists them."),
            (["stauts"], "There is no command \"stauts\"; did you mean \"status\"?"),
            (["pause", "now"], "pause does not take \"now\"; echobot help pause says what it takes."),
            (["pause", "--json"], "pause has no option \"--json\"; echobot help pause says what it has."),
            (["chat", "--as"], "\"--as\" needs JID behind it."),
            (
                ["chat", "--as", "x.example"],
                "\"x.example\" has no @; write a whole address, like \"alice@example.org\"."
            ),
            (["chat", "--as", "@x"], "\"@x\" is no address: nothing stands before the @."),
            (["hlep"], "There is no command \"hlep\"; did you mean \"help\"?"),
            (["help", "sned"], "There is no command \"sned\"; did you mean \"send\"?"),
            (["--confg", "x"], "There is no option \"--confg\"; did you mean \"--config\"?"),
            (["--frobnicate=x"], "There is no option \"--frobnicate\"; echobot --help lists them."),
            (["chat", "--online"], "chat has no option \"--online\"; echobot help chat says what it has."),
            (["log", "list", "--last", "5"], "log has no option \"--last\"; echobot help log says what it has."),
            (["--config"], "\"--config\" needs FILE behind it."), (["--config="], "\"--config\" needs FILE behind it."),
            (["--quiet=yes"], "\"--quiet\" takes no value."),
            (["--config", "a", "--config", "b"], "\"--config\" stands there twice."),
            (["--log-format", "xml"], "\"xml\" is not what \"--log-format\" takes; write text or json."),
            (["run", "now"], "run does not take \"now\"; echobot help run says what it takes."),
            (["send"], "send needs an address; echobot help send says more."),
            (["send", "a b@example.org", "x"], "\"a b@example.org\" is no address: the local part holds a space."),
            (["send", "ann@example.org", ""], "There is nothing to send: the text is empty."),
            (["roster", "ad", "x"], "There is no roster \"ad\"; did you mean \"roster add\"?"),
            (["roster", "add"], "roster needs an address; echobot help roster says more."),
            (
                ["roster", "add", "example.org"],
                "\"example.org\" has no @; write a whole address, like \"alice@example.org\"."
            ),
            (
                ["roster", "remove", "a@b.example", "--name", "x"],
                "roster has no option \"--name\"; echobot help roster says what it has."
            ),
            (["requests", "acept", "7"], "There is no requests \"acept\"; did you mean \"requests accept\"?"),
            (
                ["requests", "accept"],
                "requests needs the number of a request, an address, @domain, or all; echobot help requests says more."
            ),
            (
                ["requests", "accept", "x"],
                "\"x\" is no request; write its number, an address, @domain for all of a domain, or all."
            ),
            (
                ["requests", "accept", "0"],
                "\"0\" is no request; write its number, an address, @domain for all of a domain, or all."
            ),
            (
                ["requests", "deny", "all", "x"],
                "\"x\" is no request; write its number, an address, @domain for all of a domain, or all."
            ),
            (
                ["requests", "accept", "7", "8"],
                "requests does not take \"8\"; echobot help requests says what it takes."
            ),
            (["outbox", "rety", "7"], "There is no outbox \"rety\"; did you mean \"outbox retry\"?"),
            (["outbox", "7"], "There is no outbox \"7\"; echobot help outbox says what there is."),
            (
                ["outbox", "retry"],
                "outbox needs the number of a message, or all; echobot help outbox says more."
            ),
            (
                ["outbox", "retry", "0"], "\"0\" is no message; write its number, as outbox lists it, or all."
            ),
            (
                ["outbox", "drop", "99999999999999999999"],
                "\"99999999999999999999\" is no message; write its number, as outbox lists it, or all."
            ),
            (
                ["outbox", "drop", "\u{1B}[2J"],
                "\"\\u{1b}[2J\" is no message; write its number, as outbox lists it, or all."
            ),
            (["outbox", "drop", "7", "8"], "outbox does not take \"8\"; echobot help outbox says what it takes."),
            (
                ["outbox", "retry", "7", "--since", "2h"],
                "outbox has no option \"--since\"; echobot help outbox says what it has."
            ),
            (
                ["outbox", "drop", "all", "--failed"],
                "outbox has no option \"--failed\"; echobot help outbox says what it has."
            ),
            (
                ["outbox", "--since", "7"], "\"7\" is not what \"--since\" takes; write a time like 30s, 2h or 2d."
            ),
            (["outbox", "--to", "@"], "\"@\" is no address: nothing stands before the @."),
            (["log"], "log needs list, or show, fetch or forget and an address; echobot help log says more."),
            (["log", "shwo"], "There is no log \"shwo\"; did you mean \"log show\"?"),
            (["log", "show"], "log needs an address behind show; echobot help log says more."),
            (
                ["log", "show", "a@b.example", "--last", "0"],
                "\"0\" is not what \"--last\" takes; write a number from 1 to 1000000."
            ),
            (
                ["log", "show", "a@b.example", "--since", "yesterday"],
                "\"yesterday\" is not what \"--since\" takes; write a time like 30s, 2h or 2d."
            ),
            (
                ["register", "--field", "email"],
                "\"email\" is no field; write its name and its value, like --field email=you@example.org."
            ),
            (
                ["register", "--field", "=s3cret"],
                "\"=\" is no field; write its name and its value, like --field email=you@example.org."
            ),
            (
                ["register", "--field", "password=s3cret"],
                "\"password\" is no field to give; name and password of the account are those of the configuration."
            ),
            (["register", "--run=yes"], "\"--run\" takes no value."),
            (
                ["passwd", "--generate", "--from", "x"],
                "\"--generate\" and \"--from\" do not go together; give one of them."
            ),
            (["passwd", "--from", ""], "\"--from\" needs FILE behind it."),
            (
                ["unregister", "--yes", "bot@example.org/main"],
                "\"bot@example.org/main\" is one session of an account; write the account's address, without the / and "
                    + "what follows."
            ),
            (
                ["unregister", "--yes", "example.org"],
                "\"example.org\" has no @; write a whole address, like \"alice@example.org\"."
            ),
            (["why"], "why needs an address; echobot help why says more."),
            (["why", "ann@example.org"], "why needs the name of a command; echobot help why says more."),
            (
                ["why", "example.org", "uptime"],
                "\"example.org\" has no @; write a whole address, like \"alice@example.org\"."
            ),
            (
                ["why", "ann@example.org", "uptime", "now"],
                "why does not take \"now\"; echobot help why says what it takes."
            ),
            (["audit", "--last", "-1"], "\"-1\" is not what \"--last\" takes; write a number from 1 to 1000000."),
            (["audit", "--since", "x"], "\"x\" is not what \"--since\" takes; write a time like 30s, 2h or 2d."),
            (["audit", "--follow"], "audit has no option \"--follow\"; echobot help audit says what it has."),
            (
                ["audit", "ann@example.org"],
                "audit does not take \"ann@example.org\"; echobot help audit says what it takes."
            ),
            (
                ["reload"],
                "There is no command \"reload\" here: an admin says it to the bot in the chat. Where systemd runs it, systemctl "
                    + "reload echobot does the same, and elsewhere the signal SIGHUP (kill -HUP and the number of its process)."
            ),
            (["\u{1B}[2J"], "There is no command \"\\u{1b}[2J\"; echobot --help lists them."),
        ] as [([String], String)])
    func wrong(line: [String], sentence: String) {
        guard case .failure(let error) = parse(line) else {
            Issue.record("\(line) was accepted")
            return
        }
        #expect(error.sentence(bot: "echobot") == sentence)
    }

    @Test(
        "no option takes a password, and none that is tried is repeated",
        arguments: [
            ["run", "--password", "s3cret"], ["--password=s3cret"], ["--passwd=s3cret"], ["--PASSWORD", "s3cret"],
            ["-p", "s3cret"], ["-ps3cret"], ["--pass", "s3cret"], ["--secret=s3cret"], ["--pasword=s3cret"],
            ["passwd", "s3cret"], ["passwd", "--generate", "s3cret"],
        ])
    func passwords(line: [String]) {
        guard case .failure(let error) = parse(line) else {
            Issue.record("\(line) was accepted")
            return
        }
        #expect(!error.sentence(bot: "echobot").contains("s3cret"))
        if error != .passwordOption { #expect(error == .unknownOption("--pasword", suggestion: nil)) }
    }
}
