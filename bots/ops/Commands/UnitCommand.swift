import Bellhop

extension Command {
    /// How a unit does.
    static func unit(on machine: Machine) -> Command {
        Command("unit", "How a systemd unit does", Arg<UnitName>("unit", "like nginx or backup.timer")) { _, unit in
            let facts = try await UnitFacts(unit, on: machine)
            return facts.report(of: unit, uptime: try? UptimeReport.uptime(machine))
        }.allow(.ops).idempotent()
    }
}

extension UnitFacts {
    /// Asks systemd.
    init(_ unit: UnitName, on machine: Machine) async throws {
        self.init(
            try await machine.output(of: [
                "systemctl", "show", "--no-pager", "--property", Self.properties.joined(separator: ","), "--",
                unit.text,
            ]))
    }
}
