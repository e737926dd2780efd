internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopTransport
internal import Synchronization

/// One or two logins of one command, which a signal stops.
struct AccountRequests {
    private let configuration: Configuration
    private let log: Log
    private let current = CurrentLogin()

    init(configuration: Configuration, log: Log) {
        self.configuration = configuration
        self.log = log
    }

    func run(_ password: Secret, _ request: AccountRequestRun.Request) throws -> AccountRequestRun.Outcome {
        let run = AccountRequestRun(configuration: configuration, password: password, log: log) { handle in
            try current.become(handle)
        }
        return try run.run(request)
    }
}

/// The login that a signal has to stop; signals can be watched once in a process.
private final class CurrentLogin: Sendable {
    private let handle = Mutex<AccountHandle?>(nil)

    func become(_ new: AccountHandle) throws {
        let isFirst = handle.withLock { current in
            defer { current = new }
            return current == nil
        }
        guard isFirst else { return }
        try SignalWatch.start { [self] _ in handle.withLock { $0 }?.stop() }
    }
}
