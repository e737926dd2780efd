internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopXMPP

/// What `backup`, `restore` and `log forget` say to the person at the command line, and with which exit code they end.
enum CarePhrases {
    static func noJournal(_ path: String) -> String { "Nothing was said yet: there is no journal \(path)." }

    // MARK: backup

    static func madeBackup(_ file: String, _ contents: JournalContents) -> String {
        "\(VisibleText.oneLine(file)): \(Self.contents(contents)). It was read again and is sound.\n"
    }

    /// `12 messages from 2026-11-30T06:45:41.000Z to ..., 40960 bytes, version 1`.
    static func contents(_ contents: JournalContents) -> String {
        var text = contents.messages == 1 ? "1 message" : "\(contents.messages) messages"
        if let first = contents.first, let last = contents.last { text += " from \(first) to \(last)" }
        return text + ", \(contents.bytes) bytes, version \(contents.version)"
    }

    static func backupTrouble(_ error: CopyError) -> String {
        switch error {
        case .exists(let file):
            "\(VisibleText.oneLine(file)) is there already and stays; name another file, or use --force."
        case .isJournal(let file):
            "\(VisibleText.oneLine(file)) belongs to the journal itself and stays as it is; name another file."
        case .source(let error): JournalPhrases.sentence(error)
        case .target(let error): "no backup was made: " + target(error)
        case .differs(let file, let finding):
            "no backup was made: what was written to \(VisibleText.oneLine(file)) is not what was read (\(finding)); "
                + "look after the disk."
        case .givenUp: "Stopped before it was done; no backup was made."
        }
    }

    static func backupCode(_ error: CopyError) -> ExitCode {
        switch error {
        case .exists, .isJournal, .target: .cannotCreate
        case .source, .differs: .inputOutput
        case .givenUp: .unavailable
        }
    }

    // MARK: restore

    static func restored(_ outcome: JournalRestore.Outcome, journal: String, account: String) -> String {
        var text = "The journal \(journal) is that backup now: \(contents(outcome.contents)).\n"
        if let kept = outcome.kept { text += "The journal that was there is kept: \(kept).\n" }
        if outcome.ended > 0 {
            let what = outcome.ended == 1 ? "1 message" : "\(outcome.ended) messages"
            text += "\(what) in it waited to be run or sent when the backup was made; they will be neither.\n"
        }
        if !outcome.contents.accounts.contains(account) {
            let others = outcome.contents.accounts.map { VisibleText.oneLine($0) }.joined(separator: ", ")
            text += "It was kept for \(others), and this bot is \(account); it goes on in the same file.\n"
        }
        return text
    }

    static func restoreTrouble(_ error: CopyError, file: String) -> String {
        let file = VisibleText.oneLine(file)
        switch error {
        case .exists(let path): return "\(path) came into being meanwhile; nothing was restored. Try again."
        case .isJournal: return "\(file) belongs to the journal itself; nothing was restored."
        case .source(let error): return "nothing was restored: " + source(error, file: file)
        case .target(.alreadyRunning(_, let pid)):
            return "a bot is running" + (pid.map { " (process \($0))" } ?? "")
                + "; stop it first, nothing was restored."
        case .target(let error): return "nothing was restored: " + target(error)
        case .differs(_, let finding):
            return "nothing was restored: what was written is not what was read (\(finding)); look after the disk."
        case .givenUp: return "Stopped before it was done; nothing was restored."
        }
    }

    static func restoreCode(_ error: CopyError) -> ExitCode {
        switch error {
        case .source(.notADatabase), .source(.notAJournal), .source(.damaged), .source(.newer), .source(.older):
            .invalidData
        case .source, .differs: .inputOutput
        case .target(.alreadyRunning): .alreadyRunning
        case .exists, .isJournal, .target: .cannotCreate
        case .givenUp: .unavailable
        }
    }

    // MARK: log forget

    static func forgotten(_ person: JID, messages: Int, others: Int, copies: [String]) -> String {
        var text =
            messages == 0 && others == 0
            ? "Nothing of \(person) was in the journal.\n"
            : "\(messages == 1 ? "1 message" : "\(messages) messages") and \(others) further "
                + "\(others == 1 ? "row" : "rows") of \(person) are gone from the journal and its files.\n"
        if !copies.isEmpty {
            text += "These copies were not touched and may hold what was said:\n"
            for copy in copies { text += "  \(VisibleText.oneLine(copy))\n" }
        }
        return text
    }

    static let logInUse = """
        The rows are gone, but another program reads the journal, and texts may be in its write-ahead log until it is done; \
        end it (log show --follow?) and run log forget once more.
        """

    // MARK: Why a file cannot be used

    private static func source(_ error: JournalError, file: String) -> String {
        switch error {
        case .cannotOpen(_, .fileMissing): "there is no file \(file)."
        case .cannotOpen(_, .isDirectory): "\(file) is a folder."
        case .cannotOpen: "\(file) cannot be read; change its owner or mode."
        case .notADatabase, .notAJournal: "\(file) is no backup of a journal."
        case .damaged(_, let finding): "\(file) is damaged (\(finding)); take an older backup."
        case .newer(_, let found, let known):
            "\(file) has version \(found), and this program knows versions up to \(known); upgrade the program first."
        case .older, .migration: "\(file) has a version that this program does not know."
        case .locked, .alreadyRunning: "another program keeps \(file) locked."
        case .full(let path): "the disk of \(path) is full; make room."
        case .database(_, let code, let message): "\(file) cannot be read: \(message) (SQLite \(code))."
        }
    }

    private static func target(_ error: JournalError) -> String {
        switch error {
        case .cannotOpen(_, .directoryMissing(let folder)): "the folder \(folder) does not exist; make it first."
        case .cannotOpen(_, .directoryNotWritable(let folder)):
            "the folder \(folder) cannot be written; change its owner or mode."
        case .cannotOpen(let path, .isDirectory): "\(path) is a folder; name a file."
        case .cannotOpen(let path, _): "\(path) cannot be written; change its owner or mode."
        case .full(let path): "the disk of \(path) is full; make room."
        case .alreadyRunning, .notADatabase, .notAJournal, .damaged, .newer, .older, .migration, .locked, .database:
            JournalPhrases.sentence(error) + "."
        }
    }
}
