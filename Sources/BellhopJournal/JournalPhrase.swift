/// The sentences about the journal's care in the bot's log, where no command line phrases them.
enum JournalPhrase {
    static func backupFailed(_ error: CopyError) -> String {
        let reason =
            switch error {
            case .exists(let file): "\(file) is there already"
            case .isJournal(let file): "\(file) is the journal itself; set another journal.backup.folder"
            case .source(let error): "the journal cannot be read (\(Self.cause(error)))"
            case .target(let error): cause(error)
            case .differs(_, let finding): "the copy is not what was copied (\(finding)); look after the disk"
            case .givenUp: "it was stopped"
            }
        return "No backup was made: \(reason). The bot goes on, and tries again within the hour."
    }

    private static func cause(_ error: JournalError) -> String {
        switch error {
        case .cannotOpen(_, .directoryMissing(let folder)):
            "there is no folder \(folder); make it, or set journal.backup.folder"
        case .cannotOpen(_, .directoryNotWritable(let folder)):
            "the folder \(folder) cannot be written; change its owner or mode, or set journal.backup.folder"
        case .cannotOpen(let path, let obstruction): "\(path) cannot be opened (\(obstruction))"
        case .full(let path): "the disk of \(path) is full; make room, or set journal.backup.folder"
        case .damaged(let path, let finding): "\(path) is damaged: \(finding)"
        case .alreadyRunning(let path, _), .locked(let path): "another program keeps \(path) locked"
        case .notADatabase(let path), .notAJournal(let path): "\(path) is no journal"
        case .newer(let path, _, _), .older(let path, _, _), .migration(let path, _, _, _, _):
            "\(path) is of another version"
        case .database(let path, let code, let message): "\(path): \(message) (SQLite \(code))"
        }
    }
}
