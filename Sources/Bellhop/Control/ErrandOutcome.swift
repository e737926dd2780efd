internal import BellhopClient
internal import BellhopJournal
internal import BellhopTransport

/// What came of something that a command line wanted of the bot or of its server.
enum ErrandOutcome {
    case answered(ControlAnswer)
    /// There was no login, or it broke.
    case ended(AccountEnding)
    case journal(JournalError)
    /// No bot listens at this socket, and nobody else can know.
    case notRunning(socket: String)
    /// A bot seems to run and cannot be talked to.
    case unreachable(LocalFault)
    /// The running bot said nothing in time; its process where the journal's lock tells, and whether it may do later what was
    /// asked.
    case silent(process: Int32?, mayHappen: Bool)
    /// The machine lacks something, in its own words.
    case machine(String)
    /// A signal stopped it.
    case interrupted

    var exitCode: ExitCode {
        switch self {
        case .answered(.failed(.journalFull)), .answered(.failed(.journalFailed)), .answered(.failed(.logInUse)):
            .inputOutput
        case .answered(.failed(.anotherAccount)), .answered(.failed(.noAccount)): .configuration
        case .answered(.failed), .notRunning, .silent, .machine, .interrupted: .unavailable
        case .answered: .success
        case .ended(let ending): Self.exitCode(ending)
        case .journal(let error): JournalPhrases.exitCode(error)
        case .unreachable(.forbidden), .unreachable(.notASocket), .unreachable(.openFolder): .inputOutput
        case .unreachable: .unavailable
        }
    }

    static func exitCode(_ ending: AccountEnding) -> ExitCode {
        switch ending {
        case .stopped: .success
        case .loginRefused: .loginRefused
        case .conflict: .conflict
        case .registrationRefused, .failed: .unavailable
        }
    }
}
