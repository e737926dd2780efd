import Bellhop
import FoundationEssentials

extension Machine {
    /// The machine that the bot runs on.
    static let live = Machine(
        root: "",
        names: { folder in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] },
        run: { arguments, limit in await Program.run(arguments, timeLimit: limit) },
        space: { path in FileSystemSpace(at: path) },
        reach: { host, port, limit in await Reachability.of(host: host, port: port, within: limit) },
        pause: { try await Task.sleep(for: .seconds(1)) },
        clock: {
            // Cut behind the minutes.
            String(Date.now.formatted(.iso8601.dateTimeSeparator(.space)).prefix(16))
        })
}
