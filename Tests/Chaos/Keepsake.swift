import EndToEndSupport
import FoundationEssentials

/// What `--keep` leaves behind.
enum Keepsake {
    /// Copies the journal, the effects, the server's logs and what each process of the bot wrote into the folder.
    static func write(_ run: ChaosRun, _ archive: ServerArchive, to folder: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: run.bot.directory) {
            try copy("\(run.bot.directory)/\(name)", to: "\(folder)/\(name)")
        }
        for name in ["server.log", "server.log.before"] {
            let path = "\(run.server.directory)/\(name)"
            if files.fileExists(atPath: path) { try copy(path, to: "\(folder)/\(name)") }
        }
        for (number, log) in run.keeper.logs.enumerated() {
            let text = log.lines.joined(separator: "\n") + "\n"
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/bot-\(number + 1).log"))
        }
        let plan = run.schedule.blows.map { "after \($0.after), \($0.answers) answers: \($0.kind)" }
        let facts = run.census.facts
        let heard = facts.heard.map { heard in
            "\(run.people[heard.person].name) \(heard.isFromArchive ? "archive" : "heard") \(heard.id) \(heard.body)"
        }
        try Data(heard.joined(separator: "\n").utf8).write(to: URL(filePath: "\(folder)/heard.txt"))
        let places = archive.places.map { "\($0.key) \($0.value.joined(separator: " "))" }.sorted()
        try Data(places.joined(separator: "\n").utf8).write(to: URL(filePath: "\(folder)/archive.txt"))
        let troubles = facts.troubles
        try Data((plan + troubles).joined(separator: "\n").utf8).write(to: URL(filePath: "\(folder)/run.txt"))
    }

    private static func copy(_ path: String, to target: String) throws {
        if FileManager.default.fileExists(atPath: target) { try FileManager.default.removeItem(atPath: target) }
        try FileManager.default.copyItem(atPath: path, toPath: target)
    }
}
