internal import BellhopDiagnostics
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// Has something done by the bot if it runs, and instead of it if it does not.
struct Errand {
    let configuration: Configuration
    let program: String
    let log: Log

    func run(_ request: ControlRequest) -> ErrandOutcome { beside(request) ?? alone(request) }

    /// Has it done by the bot that runs, for which nobody needs a password; nil where none does.
    func beside(_ request: ControlRequest) -> ErrandOutcome? {
        Self.beside(request, journal: configuration.journal.path, account: configuration.account.jid)
    }

    /// The same, where no more is known than where the journal is, and perhaps whose.
    static func beside(_ request: ControlRequest, journal: String, account: JID?) -> ErrandOutcome? {
        switch ControlClient.ask(request, for: account, at: ControlServer.path(journal: journal)) {
        case .answered(let answer): .answered(answer)
        case .failed(.pathTooLong) where request != .status: nil
        case .nobody: nil
        case .failed(.timedOut): .silent(process: JournalClaim.holder(journal: journal), mayHappen: !request.onlyLooks)
        case .failed(let fault): .unreachable(fault)
        }
    }

    private func alone(_ request: ControlRequest) -> ErrandOutcome {
        switch request {
        case .listRequests: return storedRequests
        case .listOutbox(let filter):
            return StoredOutbox(configuration: configuration, log: log).list(filter)
        case .changeOutbox(let verb, let choice, let filter):
            return StoredOutbox(configuration: configuration, log: log).change(verb, choice, filter)
        case .status, .examine: return .notRunning(socket: ControlServer.path(journal: configuration.journal.path))
        case .pause: return StoredPause(configuration: configuration, log: log).begin()
        case .resume: return StoredPause(configuration: configuration, log: log).end()
        case .resetLogin: return StoredLogin(configuration: configuration, log: log).reset()
        case .send, .listRoster, .addContact, .removeContact, .answerRequests, .forget, .fetch:
            return ErrandRun(request: request, configuration: configuration, program: program, log: log).run()
        }
    }

    /// What waits is in the journal, which can be read beside its writer, too.
    private var storedRequests: ErrandOutcome {
        do throws(JournalError) {
            let rows = try JournalReader(path: configuration.journal.path).requests(.pending).map {
                RequestRow(number: Int($0.number), jid: $0.jid, askedAt: $0.firstSeen)
            }
            return .answered(.requests(rows))
        } catch .cannotOpen(_, .fileMissing) {
            return .answered(.requests([]))
        } catch {
            return .journal(error)
        }
    }
}
