internal import BellhopBot
internal import BellhopJournal

/// The sentences in which an operator learns why the journal cannot be opened, and with which exit code the bot ends.
enum JournalPhrases {
    static func exitCode(_ error: JournalError) -> ExitCode {
        switch error {
        case .alreadyRunning: .alreadyRunning
        case .cannotOpen: .cannotCreate
        case .notADatabase, .notAJournal, .damaged, .newer, .older, .migration, .locked, .full, .database: .inputOutput
        }
    }

    static func sentence(_ error: JournalError) -> String {
        switch error {
        case .alreadyRunning(let path, let pid):
            "another bot writes the journal \(path)" + (pid.map { " (process \($0))" } ?? "")
                + "; stop it, or give this one another journal.path"
        case .cannotOpen(let path, let obstruction): "cannot open the journal \(path): \(Self.reason(obstruction))"
        case .notADatabase(let path):
            "\(path) is no database and is left as it is; move it away, or set another journal.path"
        case .notAJournal(let path):
            "\(path) is a database of another program and is left as it is; set another journal.path"
        case .damaged(let path, let finding):
            "the journal \(path) is damaged (\(finding)) and is left as it is; "
                + "move it away and put a backup in its place, or let the bot begin a new one"
        case .newer(let path, let found, let known):
            "the journal \(path) has version \(found), and this program knows versions up to \(known); "
                + "start the newer program, or set another journal.path"
        case .older(let path, let found, let known):
            "the journal \(path) has version \(found) and this program reads version \(known); "
                + "start the bot once, which brings the journal up to date"
        case .migration(let path, let from, let to, let backup, let reason):
            "the journal \(path) could not be brought from version \(from) to \(to): \(reason); nothing is lost"
                + (backup.map { ", and a backup is in \($0)" } ?? "")
        case .locked(let path): "another program keeps the journal \(path) locked; close it and start again"
        case .full(let path): "the disk of the journal \(path) is full; make room and start again"
        case .database(let path, let code, let message): "the journal \(path) fails: \(message) (SQLite \(code))"
        }
    }

    // MARK: Reasons in rows

    /// Why a message is to be sent, or was sent, though it had come back.
    static func again(by who: String, after state: OutgoingRecord.State) -> String {
        "sent again by \(who)" + before(state)
    }

    static func dropped(by who: String, after state: OutgoingRecord.State) -> String { "by \(who)" + before(state) }

    private static func before(_ state: OutgoingRecord.State) -> String {
        if case .failed(let reason) = state { "; it had come back: \(reason)" } else { "" }
    }

    private static func reason(_ obstruction: JournalError.Obstruction) -> String {
        switch obstruction {
        case .directoryMissing(let directory): "the folder \(directory) does not exist; make it, or set journal.path"
        case .directoryNotWritable(let directory):
            "the folder \(directory) cannot be written, and the database needs to make files in it; "
                + "change its owner or mode, or set journal.path"
        case .fileMissing: "there is no such file"
        case .fileNotReadable: "the file cannot be read; change its owner or mode"
        case .fileNotWritable: "the file cannot be written; change its owner or mode"
        case .isDirectory: "it is a folder; journal.path names a file"
        case .system(let number): "the system refuses (errno \(number))"
        }
    }
}
