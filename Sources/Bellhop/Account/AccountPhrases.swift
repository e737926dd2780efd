internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopXMPP

/// What `register`, `passwd` and `unregister` say to the person at the command line.
enum AccountPhrases {
    // MARK: register

    static func made(_ jid: JID) -> String { "The server has made the account \(jid.bareText)" }

    static func existsNow(_ jid: JID) -> String { "The account \(jid) exists now and can log in" }

    static func isThere(_ jid: JID, bot: String) -> String {
        "The account \(jid) is there already, and its password works: start it with \(bot) run"
    }

    /// What becomes of a password that was made for an account that is not there.
    static func passwordStays(_ file: String, bot: String) -> String {
        "The password that was made stays in \(file): the next \(bot) register takes it; remove the file to have another"
    }

    static func madePassword(_ file: String) -> String {
        "Made a password for the account and wrote it to \(file) (readable by you alone)"
    }

    /// What the configuration needs to find a password that it does not name.
    static func passwordNotNamed(_ file: String, origin: LoadedConfiguration.Origin) -> String {
        switch origin {
        case .file(let configuration):
            let name = JSONText.string(file.split(separator: "/").last.map(String.init) ?? file)
            return
                "\(configuration) does not say where the password is: add \"password\": {\"file\": \(name)} to account"
        case .environment:
            return "The password is in \(file): set BELLHOP_PASSWORD to what it holds, "
                + "like BELLHOP_PASSWORD=\"$(cat \(ShellWord.quoted(file)))\""
        }
    }

    static func cannotMakePassword(_ file: String, _ trouble: FileTrouble) -> String {
        "\(file) can't be written: \(trouble.phrase). A password is made only where it can be kept; "
            + "nothing was asked of the server."
    }

    static func noRandomNumbers(_ error: any Error) -> String { "The machine gives no random numbers: \(error)" }

    /// What a person reads before the questions of a server; its own words are harmless and bounded.
    static func introduction(to question: RegistrationQuestion, picture: String?, domain: String) -> [String] {
        var lines = ["\(domain) wants to know more before it makes the account."]
        if let instructions = question.instructions {
            lines.append("It says: \u{201C}\(shown(instructions, 500))\u{201D}")
        }
        switch (question.url, picture) {
        case (let url?, let file?) where question.isRiddle:
            lines.append("The picture is at \(shown(url, 300)) and in \(file).")
        case (let url?, nil) where question.isRiddle: lines.append("The picture is at \(shown(url, 300))")
        case (let url?, _): lines.append("More is at \(shown(url, 300))")
        case (nil, let file?): lines.append("The picture is in \(file).")
        case (nil, nil) where question.isRiddle: lines.append("It sent no picture that can be shown.")
        case (nil, nil): break
        }
        return lines
    }

    static func prompt(for field: RegistrationQuestion.Field) -> String {
        let name = shown(field.name, 60)
        let words = field.label.map { "\(shown($0, 200)) [\(name)]" } ?? name
        guard !field.options.isEmpty else { return words + ": " }
        return "\(words) (\(field.options.map { shown($0, 60) }.joined(separator: ", "))): "
    }

    static let promptForMore = "One more, or nothing: "

    static func notAnOption(_ field: RegistrationQuestion.Field) -> String {
        "Only one of these is taken: \(field.options.map { shown($0, 60) }.joined(separator: ", "))."
    }

    // MARK: passwd

    static func unfinishedChange(bot: String, draft: String) -> String {
        "account.password.file: a change of the password was interrupted, and the new one waits in \(draft); "
            + "\(bot) passwd finishes it."
    }

    static func unusableDraft(_ draft: String, _ reason: String) -> String {
        "account.password.file: \(draft) should hold the new password of a change that was interrupted, and cannot: "
            + "\(reason). Look at it, and move it away."
    }

    static func notInAFile(_ source: SecretSource, bot: String) -> String {
        let place =
            switch source {
            case .plain: "stands in the configuration itself"
            case .environment(let name): "comes from the variable \(name)"
            case .command: "comes from a program"
            case .credential: "is a systemd credential"
            case .file(let path): "is in \(path)"
            }
        return
            "Only a password that account.password.file names can be changed by this command, and this one \(place). "
            + "Write it to a file with mode 0600, name that in account.password.file, "
            + "restart \(bot) if it runs, which else keeps the old one, and run \(bot) passwd again."
    }

    static func otherChange(_ file: PasswordFile) -> String {
        "Another passwd works on \(file.path); wait until it has ended. Nothing was changed."
    }

    static let newPassword = "The new password: "
    static let newPasswordAgain = "Once more: "
    static let passwordsDiffer = "The two are not the same."
    static let noPassword = "No password was given, and nothing was changed."
    static let finishesEarlierChange =
        "An earlier change of the password was interrupted; finishing that one first. To set another, run passwd again."

    static func sentence(_ outcome: PasswordChange.Outcome, file: PasswordFile, bot: String) -> String {
        switch outcome {
        case .changed: "The password is changed on the server and in \(file.path)."
        case .finished: "The interrupted change is finished: the new password is in \(file.path)."
        case .unusable(.emptyPassword): "The new password is empty; nothing was changed."
        case .unusable(.unavailable(let code)):
            "The Unicode library fails (ICU \(code)); reinstall Debian's libicu. Nothing was changed."
        case .unusable:
            "The new password holds a character that no password may hold, like a control character; "
                + "nothing was changed."
        case .blank: "The new password is nothing but blanks; nothing was changed."
        case .unusableDraft(let reason):
            "\(file.draft) should hold the new password of a change that was interrupted, and cannot: \(reason). "
                + "Look at it, move it away and run \(bot) passwd again; nothing was changed."
        case .same: "That is the password already; nothing was changed."
        case .cannotWrite(let path, let trouble):
            "\(path) can't be written: \(trouble.phrase). Nothing was changed."
        case .cannotAdopt(let trouble):
            "The password is changed on the server, and \(file.path) can't be replaced: \(trouble.phrase). "
                + "The new password is in \(file.draft); run \(bot) passwd again when that is mended."
        case .refused(let error):
            "The server did not change the password (\(described(error))); the old one is right."
        case .refusedDraft(let error, let kept):
            "The server did not change the password (\(described(error))); the old one is right. The one that waited is in "
                + "\(kept); remove that when nobody needs it."
        case .notSent(let ending): ErrandPhrases.reason(ending)
        case .neitherWorks(let reason):
            "Neither the password in \(file.path) nor the one in \(file.draft) is right: \(reason)"
        case .unknown(let reason):
            "The server did not say whether it has changed the password" + (reason.map { " (\($0))" } ?? "")
                + ". The old one is in \(file.path) and the new one in \(file.draft), and the bot tries both; "
                + "run \(bot) passwd again to finish."
        }
    }

    static func exitCode(_ outcome: PasswordChange.Outcome) -> ExitCode {
        switch outcome {
        case .changed, .finished, .same: .success
        case .unusable, .blank: .usage
        case .unusableDraft: .inputOutput
        case .cannotWrite: .cannotCreate
        case .cannotAdopt: .inputOutput
        case .refused, .refusedDraft, .unknown: .unavailable
        case .notSent(.stopped): .unavailable
        case .notSent(let ending): ErrandOutcome.exitCode(ending)
        case .neitherWorks: .loginRefused
        }
    }

    // MARK: unregister

    static func reallyRemove(_ jid: JID) -> String {
        "This removes the account \(jid.bareText) from its server, with its contacts and all that the server keeps for it."
    }

    static let goOn = "Go on? [yes/no] "

    static let typeAddress = "Type its address to remove it: "

    static let notConfirmed = "Nothing was removed."

    static func wrongAccount(_ given: JID, _ jid: JID) -> String {
        "The configuration's account is \(jid.bareText), not \(given.bareText); nothing was removed."
    }

    static func needsConfirmation(_ jid: JID) -> String {
        "Nobody can be asked here; name the account to remove it: --yes \(ShellWord.quoted(jid.bareText))"
    }

    static func isRunning(bot: String, process: Int32?) -> String {
        "\(bot) is running" + (process.map { " (process \($0))" } ?? "") + "; stop it before its account is removed."
    }

    static func removed(_ jid: JID, journal: String, password: String?) -> String {
        "The account \(jid.bareText) is gone from its server. The journal stays: \(journal)"
            + (password.map { "; so does the password: \($0)" } ?? "") + ".\n"
    }

    /// Why the account was not removed; nil where it was.
    static func removalTrouble(_ outcome: AccountRequestRun.Outcome, bot: String) -> String? {
        switch outcome {
        case .done: nil
        case .refused(let error):
            "The server did not remove the account (\(described(error))); ask its operator."
        case .unknown(let reason):
            "The server did not say whether it has removed the account" + (reason.map { " (\($0))" } ?? "")
                + "; \(bot) check --online tells whether it is still there."
        case .notSent(let ending): ErrandPhrases.reason(ending)
        }
    }

    static func removalCode(_ outcome: AccountRequestRun.Outcome) -> ExitCode {
        switch outcome {
        case .done: .success
        case .refused, .unknown, .notSent(.stopped): .unavailable
        case .notSent(let ending): ErrandOutcome.exitCode(ending)
        }
    }

    // MARK: Words of a server

    private static func described(_ error: StanzaError) -> String {
        guard let text = error.text, !text.isEmpty else { return error.condition.rawValue }
        return "\(error.condition.rawValue): \u{201C}\(shown(text, 200))\u{201D}"
    }

    private static func shown(_ text: String, _ limit: Int) -> String {
        VisibleText.oneLine(text.count > limit ? text.prefix(limit) + "…" : text)
    }
}
