import Bellhop

extension Command {
    /// Restarts a unit that the operator's configuration allows, once the person has confirmed it.
    static func restart(on machine: Machine) -> Command {
        Command("restart", "Restart a systemd unit", Arg<UnitName>("unit", "one of those in bot.restart")) {
            context, unit in
            try await RestartOrder(unit, allowed: context.settings(OpsSettings.self).restart).carryOut(on: machine)
        }.allow(.ops).confirmed()
    }
}

/// A unit that may be restarted.
struct RestartOrder: Equatable {
    /// How long systemd may take; less than a command may.
    static let limit: Duration = .seconds(25)

    let unit: UnitName

    /// Throws the sentence for a unit that is not among those allowed.
    init(_ unit: UnitName, allowed: [UnitName]) throws {
        guard allowed.contains(unit) else { throw Self.refusal(unit, allowed) }
        self.unit = unit
    }

    private static func refusal(_ unit: UnitName, _ allowed: [UnitName]) -> Failure {
        let others =
            allowed.isEmpty
            ? "none may, until the operator lists some in bot.restart"
            : "these may: \(allowed.map(\.text).joined(separator: ", "))"
        return Failure("\(unit.text) may not be restarted from here; \(others).")
    }

    /// Restarts it and says how it does then.
    func carryOut(on machine: Machine) async throws -> String {
        // Without a question for a password, which nobody would see.
        _ = try await machine.output(
            of: ["systemctl", "--no-ask-password", "--no-pager", "restart", "--", unit.text], within: Self.limit)
        guard let facts = try? await UnitFacts(unit, on: machine), facts.isKnown else {
            return "Restarted \(unit.text)."
        }
        return "Restarted. " + facts.report(of: unit, uptime: try? UptimeReport.uptime(machine))
    }
}
