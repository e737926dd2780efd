import Bellhop
import Testing

@Suite("Help")
struct CommandHelpTests {
    @Test("the overview lists every command and every common option")
    func overview() {
        #expect(
            CommandHelp.overview(bot: "echobot") == """
                echobot: a chat bot for XMPP

                usage: echobot [OPTIONS] [COMMAND]

                commands:
                  run         log in and work until stopped (what happens without a command)
                  chat        talk to the bot in this terminal, without a server
                  check       say whether the configuration is right
                  doctor      find out what works, what will be missing, and what to do
                  init        ask for account, password and admins, and write a configuration
                  register    make the account of the configuration on its server
                  passwd      change the account's password, in its file and on the server
                  unregister  remove the account from its server, for good
                  status      say how the running bot is
                  pause       let the bot run nothing and answer nobody until resume
                  resume      end a pause
                  send        send one message
                  roster      list, add and remove contacts
                  requests    list and answer contact requests
                  outbox      list the messages that wait or came back, send again, give up
                  log         read what was said, fetch it from the server, or forget a person
                  login       allow a weaker login than the account once had
                  why         say whether somebody may run a command, and what decides it
                  audit       read who ran what is not open to everybody
                  backup      copy the journal, while the bot may be running
                  restore     put a backup in the journal's place, while no bot runs
                  help        say what a command does

                options:
                  --config FILE           the configuration to read
                  --quiet, -q             log warnings and errors only
                  -v, --verbose           log more
                  -vv                     log everything, stanzas too, with secrets cut out
                  --log-format text|json  how log lines look
                  --help, -h              say what a command does
                  --version               say which version this is

                echobot help COMMAND says more, exit codes too.

                """)
    }

    @Test("the help of a command has its usage, its options and its exit codes")
    func check() {
        #expect(
            CommandHelp.about(.check).text(bot: "echobot") == """
                echobot check: say whether the configuration is right

                usage:
                  echobot check
                  echobot check --online

                Prints every problem with its place, or what the configuration means, without secrets.
                --quiet prints problems only.
                Connects to nothing, unless --online is given: then it logs in under a resource of its own and without
                presence, so that neither contacts nor a running bot notice, and says how long each step took.

                options:
                  --online  log in too, and send a message to itself and back

                exit codes:
                  0   everything was done
                  64  the command line is wrong
                  69  the server can't be reached, or does not do what was asked
                  76  another login took the bot's place, or the server is none that it can use
                  77  the server refused the login
                  78  the configuration is wrong

                echobot --help lists the options that every command has.

                """)
    }

    @Test(
        "every command's help fits a terminal, and every usage in it is a command line that can be read",
        arguments: CommandName.allCases)
    func usages(command: CommandName) {
        let help = CommandHelp.about(command)
        let text = help.text(bot: "echobot")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
        #expect(text.unicodeScalars.allSatisfy { $0.isASCII })
        for option in CommandOption.own(of: command) { #expect(text.contains("  \(option.name)")) }
        for usage in help.usages {
            // The words in capitals become something that fits, what may be left out is left out.
            let samples = [
                "JID": "ann@example.org", "TEXT": "hello", "WHO": "7", "FILE": "x", "N": "5", "TIME": "2d",
                "NAME": "Ann", "GROUP": "A", "COMMAND": "uptime",
            ]
            let bare = usage.replacing(/\[[^\]]*\](\.\.\.)?/, with: "").replacing("< FILE", with: "")
            let line = bare.split(separator: " ").map { samples[String($0)] ?? String($0) }
            let result = Invocation.parse(line)
            #expect((try? result.get()) != nil, "\(usage)")
        }
    }

    @Test("each exit code has its number and its meaning")
    func exitCodes() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 64, 65, 69, 73, 74, 75, 76, 77, 78])
        #expect(Set(ExitCode.allCases.map(\.meaning)).count == ExitCode.allCases.count)
    }
}
