import BellhopClient
import BellhopEngine
import BellhopXMPP
import Testing

@testable import Bellhop

@Suite("What register, passwd and unregister say")
struct AccountPhrasesTests {
    private static let file = PasswordFile(path: "/etc/bot/password")

    @Test(
        "the outcome of passwd, with its exit code",
        arguments: [
            (.changed, .success, "The password is changed on the server and in /etc/bot/password."),
            (.finished, .success, "The interrupted change is finished: the new password is in /etc/bot/password."),
            (.same, .success, "That is the password already; nothing was changed."),
            (.blank, .usage, "The new password is nothing but blanks; nothing was changed."),
            (
                .unusableDraft("it is empty"), .inputOutput,
                "/etc/bot/password.new should hold the new password of a change that was interrupted, and cannot: it is "
                    + "empty. Look at it, move it away and run echobot passwd again; nothing was changed."
            ),
            (.unusable(.emptyPassword), .usage, "The new password is empty; nothing was changed."),
            (
                .unusable(.password), .usage,
                "The new password holds a character that no password may hold, like a control character; nothing was "
                    + "changed."
            ),
            (
                .cannotWrite("/etc/bot/password.new", .other("Permission denied")), .cannotCreate,
                "/etc/bot/password.new can't be written: Permission denied. Nothing was changed."
            ),
            (
                .cannotAdopt(.other("No space left on device")), .inputOutput,
                "The password is changed on the server, and /etc/bot/password can't be replaced: No space left on "
                    + "device. The new password is in /etc/bot/password.new; run echobot passwd again when that is mended."
            ),
            (
                .refused(StanzaError(.notAcceptable, text: "too\nweak")), .unavailable,
                "The server did not change the password (not-acceptable: \u{201C}too\\nweak\u{201D}); the old one is "
                    + "right."
            ),
            (
                .refusedDraft(StanzaError(.notAcceptable, text: nil), kept: "/etc/bot/password.refused"), .unavailable,
                "The server did not change the password (not-acceptable); the old one is right. The one that waited is in "
                    + "/etc/bot/password.refused; remove that when nobody needs it."
            ),
            (.notSent(.loginRefused("No.")), .loginRefused, "No."),
            (.notSent(.stopped), .unavailable, "Stopped before it was done."),
            (
                .neitherWorks("no"), .loginRefused,
                "Neither the password in /etc/bot/password nor the one in /etc/bot/password.new is right: no"
            ),
            (
                .unknown(reason: "gone"), .unavailable,
                "The server did not say whether it has changed the password (gone). The old one is in "
                    + "/etc/bot/password and the new one in /etc/bot/password.new, and the bot tries both; run echobot "
                    + "passwd again to finish."
            ),
        ] as [(PasswordChange.Outcome, ExitCode, String)])
    func change(outcome: PasswordChange.Outcome, code: ExitCode, sentence: String) {
        #expect(AccountPhrases.sentence(outcome, file: Self.file, bot: "echobot") == sentence)
        #expect(AccountPhrases.exitCode(outcome) == code)
    }

    @Test("a password that is in no file: where it is, and what to do")
    func notInAFile() {
        #expect(
            AccountPhrases.notInAFile(.environment("BELLHOP_PASSWORD"), bot: "echobot")
                == "Only a password that account.password.file names can be changed by this command, and this one comes "
                + "from the variable BELLHOP_PASSWORD. Write it to a file with mode 0600, name that in "
                + "account.password.file, restart echobot if it runs, which else keeps the old one, and run echobot passwd again."
        )
        for (source, words) in [
            (SecretSource.command(["pass"]), "comes from a program"), (.credential("pw"), "is a systemd credential"),
        ] {
            #expect(AccountPhrases.notInAFile(source, bot: "echobot").contains("and this one \(words)."))
        }
    }

    @Test("where a password is that was made, and how the bot finds it")
    func made() throws {
        #expect(
            AccountPhrases.madePassword("/etc/bot/a")
                == "Made a password for the account and wrote it to /etc/bot/a (readable by you alone)")
        #expect(
            AccountPhrases.passwordStays("/etc/bot/a", bot: "echobot")
                == "The password that was made stays in /etc/bot/a: the next echobot register takes it; remove the file "
                + "to have another")
        #expect(
            AccountPhrases.isThere(try JID("bot@example.org"), bot: "echobot")
                == "The account bot@example.org is there already, and its password works: start it with echobot run")
        #expect(
            AccountPhrases.passwordNotNamed("/etc/bot/echo.password", origin: .file("/etc/bot/echo.json"))
                == "/etc/bot/echo.json does not say where the password is: add \"password\": {\"file\": \"echo.password\"} "
                + "to account")
        #expect(
            AccountPhrases.passwordNotNamed("/s p/password", origin: .environment)
                == "The password is in /s p/password: set BELLHOP_PASSWORD to what it holds, like "
                + "BELLHOP_PASSWORD=\"$(cat '/s p/password')\"")
    }

    @Test(
        "the outcome of unregister, with its exit code",
        arguments: [
            (.done, .success, nil),
            (
                .refused(StanzaError(.notAllowed)), .unavailable,
                "The server did not remove the account (not-allowed); ask its operator."
            ),
            (
                .unknown(reason: nil), .unavailable,
                "The server did not say whether it has removed the account; echobot check --online tells whether it is "
                    + "still there."
            ),
            (.notSent(.loginRefused("No.")), .loginRefused, "No."), (.notSent(.conflict("No.")), .conflict, "No."),
        ] as [(AccountRequestRun.Outcome, ExitCode, String?)])
    func removal(outcome: AccountRequestRun.Outcome, code: ExitCode, sentence: String?) {
        #expect(AccountPhrases.removalTrouble(outcome, bot: "echobot") == sentence)
        #expect(AccountPhrases.removalCode(outcome) == code)
    }

    @Test("a second passwd is told of the first")
    func twoChanges() {
        #expect(
            AccountPhrases.otherChange(Self.file)
                == "Another passwd works on /etc/bot/password; wait until it has ended. Nothing was changed.")
    }

    @Test("a bot that runs is named with its process")
    func running() {
        #expect(
            AccountPhrases.isRunning(bot: "echobot", process: 12)
                == "echobot is running (process 12); stop it before its account is removed.")
        #expect(
            AccountPhrases.isRunning(bot: "echobot", process: nil)
                == "echobot is running; stop it before its account is removed.")
    }

    @Test("what stays when an account is gone")
    func removed() throws {
        let jid = try JID("bot@example.org")
        #expect(
            AccountPhrases.removed(jid, journal: "/j.db", password: nil)
                == "The account bot@example.org is gone from its server. The journal stays: /j.db.\n")
        #expect(
            AccountPhrases.removed(jid, journal: "/j.db", password: "/p")
                == "The account bot@example.org is gone from its server. The journal stays: /j.db; so does the password: "
                + "/p.\n")
    }
}
