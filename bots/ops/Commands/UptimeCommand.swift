import Bellhop

extension Command {
    /// How long the machine has been up, and how busy it is.
    static func uptime(on machine: Machine) -> Command {
        Command("uptime", "How long the machine has been up, and its load") { _ in try UptimeReport(machine).text }
            .allow(.ops).idempotent()
    }
}

/// The machine's age and load (proc_uptime(5), proc_loadavg(5)).
struct UptimeReport: Equatable {
    /// Since the start, in seconds.
    var uptime: UInt64
    /// Of one, five and fifteen minutes, as the system writes them.
    var loads: [String]
    var processors: Int

    init(_ machine: Machine) throws {
        uptime = try Self.uptime(machine)
        let path = "/proc/loadavg"
        loads = Array(Fields.of(try machine.read(path, limit: 4_096).prefix { $0 != "\n" }).prefix(3))
        guard loads.count == 3, loads.allSatisfy({ Double($0).map(\.isFinite) == true }) else {
            throw OpsFailure.notUnderstood(path)
        }
        processors = try Processors(machine).count
    }

    /// How long the machine has been up, in seconds.
    static func uptime(_ machine: Machine) throws -> UInt64 {
        let path = "/proc/uptime"
        guard let seconds = UInt64(try machine.read(path, limit: 4_096).prefix(while: \.isNumber)) else {
            throw OpsFailure.notUnderstood(path)
        }
        return seconds
    }

    var text: String {
        """
        Up \(TimeText.show(seconds: uptime)).
        Load \(loads.joined(separator: ", ")) (1, 5, 15 minutes) on \(processors) \(processors == 1 ? "CPU" : "CPUs")\(pressure).
        """
    }

    /// A load above the number of processors means that something always waits.
    private var pressure: String {
        guard let load = Double(loads[1]), load < 1_000_000 else { return "" }
        return load > Double(processors) ? "; more wants to run than can" : ""
    }
}
