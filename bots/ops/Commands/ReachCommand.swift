import Bellhop

extension Command {
    /// Whether a port or a page answers. Which addresses may be asked for is up to those who give the role ops.
    static func reach(on machine: Machine) -> Command {
        Command(
            "reach", "Whether a port or a web page answers",
            Arg<ReachTarget>("target", "HOST:PORT or a URL, like db.example.org:5432 or https://example.org/")
        ) { context, target in
            try await answer(target, of: machine, within: context.settings(OpsSettings.self).reachTimeout)
        }.allow(.ops).idempotent()
    }

    static func answer(_ target: ReachTarget, of machine: Machine, within limit: Duration) async throws -> String {
        switch target {
        case .port(let host, let port):
            switch await machine.reach(host, port, limit) {
            case .connected(let address):
                let over = address == host ? "" : " (\(address))"
                return "\(target.argumentText)\(over) takes connections."
            case .unreachable(let reason): return "\(target.argumentText) cannot be reached: \(reason)."
            }
        case .page(let url):
            let visit = PageVisit(url: url, limit: limit)
            // curl keeps the limit itself; this one is for a curl that hangs.
            return try visit.answer(await machine.run(visit.arguments, limit + .seconds(2)))
        }
    }
}
