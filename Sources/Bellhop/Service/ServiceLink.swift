internal import BellhopDiagnostics

/// The way from a bot to the service manager that started it.
struct ServiceLink {
    private(set) var report: ServiceReport
    private let socket: NotifySocket

    init(_ socket: NotifySocket, watchdog: Duration?) {
        self.socket = socket
        report = ServiceReport(watchdog: watchdog)
    }

    /// Nil where no service manager listens (`NOTIFY_SOCKET`). The watchdog is meant for the process that `WATCHDOG_PID` names,
    /// if it names one (sd_watchdog_enabled(3)).
    init?(_ surroundings: any Surroundings, process: Int32) {
        guard let address = surroundings.variable("NOTIFY_SOCKET"), let socket = NotifySocket(address) else {
            return nil
        }
        let isMeant = surroundings.variable("WATCHDOG_PID").map { Int32($0) == process } ?? true
        let time = surroundings.variable("WATCHDOG_USEC").flatMap { Int64($0) }
        // Above a century it is no time any more.
        let watchdog = time.flatMap {
            isMeant && (1...3_155_760_000_000_000).contains($0) ? Duration.microseconds($0) : nil
        }
        self.init(socket, watchdog: watchdog)
    }

    /// Sends what there is to say now; a service manager that does not take it is not waited for.
    mutating func tell(_ lines: (inout ServiceReport) -> [String]) {
        let lines = lines(&report)
        if !lines.isEmpty { socket.send(lines.joined(separator: "\n")) }
    }
}
