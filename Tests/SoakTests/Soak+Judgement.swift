import BellhopTestServer
import BellhopXMPP

@testable import BellhopJournal

/// The rules that hold whatever happened, read off the journal, the people and the world outside.
extension Soak {
    /// A word of the bot as its person heard it.
    private struct Heard {
        var body: String
        var count: Int
        /// Its place among all that the person heard.
        var place: Int
    }

    func judge() throws -> SoakReport {
        let server = world.network.host.server
        var report = SoakReport(
            seed: seed, breaches: [], faults: faults.count, lives: effects.life / 2, turns: world.turns)
        report.said = said.count
        report.logins = server.counts.logins
        report.resumptions = server.counts.resumptions
        report.failedResumptions = server.counts.failedResumptions
        report.deeds = effects.deeds.values.reduce(0, +)
        guard !hasSpun else {
            report.breaches = breaches
            return report
        }
        let rows = try JournalReader(path: folder + "/j.db").messages(after: RowID(0), limit: .max)
        let incoming = rows.filter { $0.direction == .incoming }
        let outgoing = rows.filter { $0.direction == .outgoing }
        judgeLog(incoming, server, &report)
        guard !saysWhatAKillMayDo else {
            report.breaches = breaches
            return report
        }
        judgeSpeech(outgoing, server, &report)
        judgeRepetitions(outgoing, incoming, server)
        judgeCommands(incoming, outgoing, &report)
        judgeOrder(incoming, outgoing, server)
        for (deed, count) in effects.deeds where count > 1 { breach("\(deed) was done \(count) times") }
        report.breaches = breaches
        return report
    }

    /// Notes what is wrong; of a flood of them the first are enough.
    private func breach(_ what: @autoclosure () -> String) {
        if breaches.count < 40 { breaches.append(what()) }
    }

    // MARK: What was said to the bot

    private func judgeLog(_ incoming: [StoredMessage], _ server: SimulatedServer, _ report: inout SoakReport) {
        var times: [String: Int] = [:]
        for row in incoming { times[row.id ?? "", default: 0] += 1 }
        for (id, count) in times {
            guard let saying = said[id] else {
                breach("a message \(id) is logged that nobody said")
                continue
            }
            if count > 1 { breach("\(saying.person)'s \(id) (\(saying.body.prefix(60))) is logged \(count) times") }
        }
        report.logged = times.count
        for saying in sayings where times[saying.id] == nil {
            if server.acknowledged.contains(saying.id) {
                breach("\(saying.person)'s \(saying.id) (\(saying.body.prefix(60))) was acknowledged and is not logged")
            } else if server.unsecured.contains(saying.id), !saying.isArchived {
                report.lostUnsecured += 1
            } else {
                breach("\(saying.person)'s \(saying.id) (\(saying.body.prefix(60))) never reached the log")
            }
        }
    }

    // MARK: What the bot said

    private func hearing(_ server: SimulatedServer) -> [String: [String: Heard]] {
        server.people.mapValues { person in
            var heard: [String: Heard] = [:]
            for (place, message) in person.heard.enumerated() {
                heard[message.id ?? "", default: Heard(body: message.body, count: 0, place: place)].count += 1
            }
            return heard
        }
    }

    private func judgeSpeech(_ outgoing: [StoredMessage], _ server: SimulatedServer, _ report: inout SoakReport) {
        let hearing = hearing(server)
        var known: [String: Set<String>] = [:]
        for row in outgoing {
            let id = row.id ?? ""
            if !known[row.peer, default: []].insert(id).inserted {
                breach("row \(row.row.number) to \(row.peer) has the id of an earlier one: \(shown(row))")
            }
            let heard = hearing[row.peer]?[id]
            switch (row.state, heard) {
            case (.acknowledged, nil):
                breach("row \(row.row.number) to \(row.peer) is acknowledged, and nobody heard it: \(shown(row))")
            case (.sent, nil): report.lostAnswers += 1
            case (.acknowledged, let heard?), (.sent, let heard?):
                if heard.body != row.body { breach("row \(row.row.number) was heard as something else: \(shown(row))") }
                report.answers += 1
                report.repeatedAnswers += heard.count - 1
            default: breach("row \(row.row.number) to \(row.peer) ended as \(row.state): \(shown(row))")
            }
        }
        for (person, heard) in hearing {
            for (id, message) in heard where known[person]?.contains(id) != true {
                breach("\(person) heard \(id), which is in no row: \(message.body.prefix(60))")
            }
        }
    }

    /// The same words under the same id twice: only where nobody could have known that the person has them.
    ///
    /// With an archive the bot can look; without one, when the message left or when it was sent again, it sends again. A count that is
    /// too low has it send again as well, and so may a clock that was wrong, where the message answers none that the archive has.
    private func judgeRepetitions(_ outgoing: [StoredMessage], _ incoming: [StoredMessage], _ server: SimulatedServer) {
        let archived = Set(incoming.filter { $0.archiveID != nil }.map(\.row))
        let anchored = Set(outgoing.filter { $0.answers.map(archived.contains) ?? false }.compactMap(\.id))
        for (name, person) in server.people {
            var first: [String: Timestamp] = [:]
            for message in person.heard {
                guard let id = message.id, anchored.contains(id) else { continue }
                guard let before = first[id] else {
                    first[id] = message.at
                    continue
                }
                if archiveless.contains(where: { $0.contains(before) || $0.contains(message.at) }) { continue }
                if server.lies.contains(where: { before <= $0 && $0 <= message.at }) { continue }
                breach(
                    "\(name) heard \(id) at \(Self.minutes(before)) and again at \(Self.minutes(message.at)): \(message.body.prefix(40))"
                )
            }
        }
    }

    private static func minutes(_ moment: Timestamp) -> String {
        text(moment - VirtualWorld.clock(VirtualWorld.start))
    }

    private func shown(_ row: StoredMessage) -> String {
        "\(row.id ?? "no id"), answer \(row.ordinal) to \(row.answers.map { "\($0.number)" } ?? "nothing"): "
            + "\((row.body ?? "").prefix(60))"
    }

    // MARK: What became of commands

    private func judgeCommands(_ incoming: [StoredMessage], _ outgoing: [StoredMessage], _ report: inout SoakReport) {
        var answers: [Int64: [StoredMessage]] = [:]
        for row in outgoing { if let answered = row.answers { answers[answered.number, default: []].append(row) } }
        var told: Set<String> = []
        for row in incoming where answers[row.row.number]?.contains(where: { !Self.isOfHandler($0) }) == true {
            told.insert("\(row.peer) \(row.reason ?? "")")
        }
        for row in incoming {
            let given = answers[row.row.number] ?? []
            let name = "row \(row.row.number) (\((row.body ?? "").prefix(60))) of \(row.peer)"
            if Set(given.map(\.ordinal)).count != given.count { breach("\(name) has an answer twice") }
            switch row.state {
            case .handled:
                report.handled += 1
                judgeHandled(row, given.filter(Self.isOfHandler), name)
            case .interrupted:
                report.interrupted += 1
                if !given.contains(where: { $0.ordinal == 0 }) {
                    breach("\(name) was interrupted, and nobody was told")
                }
            case .declined:
                report.declined[row.reason ?? "no reason", default: 0] += 1
                judgeDeclined(row, given, told, name)
            default: breach("\(name) ended as \(row.state)")
            }
        }
    }

    private func judgeHandled(_ row: StoredMessage, _ answers: [StoredMessage], _ name: String) {
        let words = (row.body ?? "").split(separator: " ", maxSplits: 2).map(String.init)
        let bodies = answers.sorted { $0.ordinal < $1.ordinal }.map { $0.body ?? "" }
        let expected: [String]
        switch (words.first, words.count) {
        case ("echo", _): expected = ["echo of \(words.dropFirst().joined(separator: " "))"]
        case ("look", 3): expected = ["saw \(words[2])"]
        case ("recite", 3): expected = (1...3).map { "verse \($0) of \(words[2])" } + ["end of \(words[2])"]
        case ("deploy", 3):
            expected = ["deployed \(words[2])"]
            if effects.deeds[words[2]] != 1 {
                breach("\(name) is handled, and was done \(effects.deeds[words[2]] ?? 0) times")
            }
        case ("tell", 3), ("more", _), ("help", _), ("pause", _), ("resume", _):
            if bodies.isEmpty { breach("\(name) is handled and has no answer") }
            return
        default: return breach("\(name) is handled, and nothing could handle it")
        }
        if bodies != expected, !isLong(row) { breach("\(name) was answered with \(bodies.map { $0.prefix(60) })") }
    }

    /// Not of the desk itself, whose own words have 0 and numbers beyond a million.
    private static func isOfHandler(_ answer: StoredMessage) -> Bool { (1...1_000_000).contains(answer.ordinal) }

    /// What is longer than a message comes in parts.
    private func isLong(_ row: StoredMessage) -> Bool { (row.body?.utf8.count ?? 0) > 2_300 }

    private func judgeDeclined(
        _ row: StoredMessage, _ answers: [StoredMessage], _ told: Set<String>, _ name: String
    ) {
        switch row.reason {
        // Chat that is for nobody.
        case "not a command", "unknown command": return
        case "stale", "paused":
            if let deed = row.body?.split(separator: " ").last, effects.deeds[String(deed)] != nil {
                breach("\(name) was declined, and was done")
            }
            // One sentence serves for all of a heap.
            let isChat = row.body?.hasPrefix("Good morning") == true
            if !isChat, !told.contains("\(row.peer) \(row.reason ?? "")") { breach("\(name) was declined in silence") }
        default: breach("\(name) was declined as \(row.reason ?? "nothing")")
        }
    }

    // MARK: Order

    private func judgeOrder(_ incoming: [StoredMessage], _ outgoing: [StoredMessage], _ server: SimulatedServer) {
        var last: [String: Saying] = [:]
        for row in incoming {
            guard let saying = said[row.id ?? ""], !saying.mayBeReordered,
                !server.unsecured.contains(saying.id)
            else { continue }
            if let before = last[saying.person], before.number > saying.number {
                breach("\(saying.person)'s \(saying.id) is logged behind \(before.id)")
            }
            last[saying.person] = saying
        }
        let hearing = hearing(server)
        var lastHeard: [String: (place: Int, row: StoredMessage)] = [:]
        // What the bot itself answers it answers during a pause as well, while commands wait.
        let ofBot: Set<String> = ["help", "more", "pause", "resume"]
        let commands = Set(incoming.filter { !ofBot.contains($0.body ?? "") }.map(\.row))
        let answers = outgoing.filter { row in
            row.answers.map { commands.contains($0) } == true && Self.isOfHandler(row)
        }
        .sorted { ($0.answers?.number ?? 0, $0.ordinal) < ($1.answers?.number ?? 0, $1.ordinal) }
        for row in answers {
            guard let place = hearing[row.peer]?[row.id ?? ""]?.place else { continue }
            if let before = lastHeard[row.peer], before.place > place {
                breach(
                    "\(row.peer) heard row \(row.row.number) (\(shown(row))) before row \(before.row.row.number) (\(shown(before.row)))"
                )
            }
            lastHeard[row.peer] = (place, row)
        }
    }
}
