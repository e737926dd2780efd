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
                .journalFull,
                "The journal takes nothing any more; make room on its disk. The bot's log says more.", .inputOutput
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
                == "The commands send, roster and requests cannot reach this bot while it runs: the path /long is longer "
                + "than the 107 bytes of a socket's name; another journal.path helps")
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
