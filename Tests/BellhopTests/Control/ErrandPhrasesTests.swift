import BellhopJournal
import BellhopTransport
import BellhopXMPP
import Testing

@testable import Bellhop

@Suite("What errands say")
struct ErrandPhrasesTests {
    @Test("each failure has its sentence and its exit code")
    func failures() throws {
        let cases: [(ControlFailure, String, ExitCode)] = [
            (
                .notConnected(reason: "no\nroute"),
                "The bot is running and has no connection (no\\nroute); nothing was done. Try again when it is back.",
                .unavailable
            ),
            (.bounced(reason: "service-unavailable"), "The message came back: service-unavailable.", .unavailable),
            (.noSuchContact(try JID("a@b")), "a@b is not in the roster.", .unavailable),
            (
                .alreadyAnswered(number: 7, accepted: false, by: "ann@example.org"),
                "Request 7 was already denied by ann@example.org.", .unavailable
            ),
            (
                .anotherAccount(own: try JID("bot@b"), named: try JID("x@c")),
                "Nothing was done: the bot with this journal is bot@b, and this configuration is that of x@c. Name the bot's own "
                    + "with --config, or give each bot a journal.path of its own.", .configuration
            ),
            (
                .noAccount(own: try JID("bot@b")),
                "Nothing was done: the bot with this journal is bot@b, and whether this configuration is its own cannot be read, so "
                    + "it is good for looking and for pause only. The command check lists its mistakes.", .configuration
            ),
            (.noArchive, "The server keeps no archive for this account, so there is nothing to fetch.", .unavailable),
            (
                .journalFull,
                "The journal takes nothing any more, so this holds until a restart at most; make room on its disk. The bot's log says more.",
                .inputOutput
            ),
        ]
        for (failure, sentence, code) in cases {
            let outcome = ErrandOutcome.answered(.failed(failure))
            #expect(ErrandPhrases.trouble(outcome, bot: "echobot") == sentence)
            #expect(outcome.exitCode == code)
        }
    }

    @Test("what was done is no trouble")
    func done() {
        #expect(ErrandPhrases.trouble(.answered(.done), bot: "echobot") == nil)
        #expect(ErrandOutcome.answered(.done).exitCode == .success)
    }

    @Test("what was fetched is counted, and it is said when there is more")
    func fetched() throws {
        let jid = try JID("a@b")
        #expect(
            ErrandPhrases.fetched(jid, new: 1, known: 0, isWhole: true)
                == "1 message with a@b new in the log, 0 already there.\n")
        #expect(
            ErrandPhrases.fetched(jid, new: 9_960, known: 40, isWhole: false) == """
                9960 messages with a@b new in the log, 40 already there.
                There is more than is read at once; fetch a shorter time, like --since 1d.

                """)
        #expect(
            ErrandPhrases.fetchedJSON(jid, new: 1, known: 2, isWhole: true)
                == #"{"peer":"a@b","new":1,"known":2,"whole":true}"# + "\n")
    }

    @Test("who may not talk to the bot, or cannot, learns why and what helps")
    func places() {
        #expect(
            ErrandPhrases.trouble(.unreachable(.forbidden(path: "/s")), bot: "echobot")
                == "/s belongs to another user; run this command as the user that echobot runs as, or as root.")
        #expect(
            ErrandPhrases.trouble(.journal(.alreadyRunning(path: "/j.db", pid: 42)), bot: "echobot")
                == "echobot is running (process 42) and does not listen at /j.db-control; its log says why, or it has "
                + "just started: try again")
        #expect(ErrandOutcome.journal(.alreadyRunning(path: "/j.db", pid: 42)).exitCode == .alreadyRunning)
        #expect(
            ErrandPhrases.cannotListen(.pathTooLong(path: "/long", limit: 107))
                == "The commands that talk to a running bot, like status and send, cannot reach this one: the path /long is "
                + "longer than the 107 bytes of a socket's name; another journal.path helps")
    }

    @Test("a bot that hangs is named, with what may still happen and what to do")
    func silent() {
        #expect(
            ErrandPhrases.trouble(.silent(process: 42, mayHappen: true), bot: "echobot")
                == "The bot (process 42) did not answer in time; what was asked may still be done, so look before you try again. "
                + "If it is stopped, kill -CONT 42 lets it go on; its log may say more.")
        #expect(
            ErrandPhrases.trouble(.silent(process: nil, mayHappen: false), bot: "echobot")
                == "The bot did not answer in time. If it is stopped, kill -CONT and its number lets it go on; its log may say more."
        )
        #expect(ErrandOutcome.silent(process: 42, mayHappen: true).exitCode == .unavailable)
    }

    @Test("a bot that does not run is said to, with where it was looked for and what to do")
    func notRunning() {
        let outcome = ErrandOutcome.notRunning(socket: "/s/j.db-control")
        #expect(
            ErrandPhrases.trouble(outcome, bot: "echobot")
                == "echobot is not running: nobody listens at /s/j.db-control. Start it with echobot run; if it runs with "
                + "another configuration, name that with --config.")
        #expect(outcome.exitCode == .unavailable)
        #expect(
            ErrandPhrases.notRunningJSON(socket: "/s\n") == "{\"state\":\"not-running\",\"socket\":\"/s\\n\"}")
    }

    @Test("a broken configuration of which only the journal's place is needed is one line")
    func brokenConfiguration() throws {
        let problem = ConfigurationProblem(.missing, path: "account.jid")
        #expect(
            ErrandPhrases.onlyJournalRead(ConfigurationReport(file: "/b.json", problems: [problem]), bot: "echobot")
                == "/b.json is wrong; echobot check lists what. Only the place of the journal was taken from it.")
        #expect(
            ErrandPhrases.onlyJournalRead(
                ConfigurationReport(file: nil, problems: [problem, problem]), bot: "echobot")
                == "The configuration is wrong; echobot check lists what. Only the place of the journal was taken from it."
        )
        #expect(
            ErrandPhrases.onlyJournalRead(
                ConfigurationReport(file: "/b.json", problems: [problem]), bot: "echobot",
                account: try JID("bot@example.org"))
                == "/b.json is wrong; echobot check lists what. Only the place of the journal and the account were taken from it."
        )
    }

    @Test("pause and resume say what became of it")
    func pauses() {
        #expect(
            ErrandPhrases.paused
                == "Paused: no handler runs and no answer leaves until resume, not after a restart either. "
                + "What people write is logged.\n")
        #expect(
            ErrandPhrases.alreadyPaused(Timestamp(milliseconds: 0), by: "ann\n", offset: 0)
                == "It was paused already, since 1970-01-01 00:00:00 +00:00, by ann\\n.\n")
        #expect(ErrandPhrases.resumed(run: 0, late: 0) == "Resumed.\n")
        #expect(
            ErrandPhrases.resumed(run: 2, late: 1)
                == "Resumed. Commands that waited: 2 run now, 1 waited for too long and are not run.\n")
        #expect(ErrandPhrases.notPaused == "It was not paused.\n")
    }

    @Test("each step of check --online says how long it took")
    func steps() {
        #expect(
            ErrandPhrases.step(.connected(address: "127.0.0.1", port: 5222, .microseconds(12_900)))
                == "connected to 127.0.0.1 port 5222 in 12 ms\n")
        #expect(ErrandPhrases.step(.messageCameBack(.seconds(2))) == "a message to itself came back in 2000 ms\n")
        #expect(OnlineCheck.Outcome.lost(.seconds(10)).exitCode == .unavailable)
        #expect(
            ErrandPhrases.trouble(.lost(.seconds(10)))
                == "The message to itself did not come back within 10 seconds; the server's log may say why.")
    }
}
