import BellhopTestServer
import BellhopXMPP

/// Twenty people who say something every few seconds, and an admin.
extension Soak {
    static let admin = "admin@example.test"

    /// Lets the people come who may say something.
    func open() {
        for name in [Self.admin] + (0..<20).map({ "person\($0)@example.test" }) {
            world.network.host { host in
                host.order(at: world.moment) { server in if let jid = try? JID(name) { server.add(jid) } }
            }
        }
    }

    /// Lets one more person take part, with a temper of their own.
    func gather(_ number: Int) {
        var temper = SeededRandom(seed: seed &* 1_000 &+ UInt64(number))
        let name = "person\(number)@example.test"
        func speak() {
            guard !isCalm else { return }
            speakUp(name, &temper)
            world.after(.milliseconds(Int.random(in: 500...14_000, using: &temper)), speak)
        }
        world.after(.milliseconds(Int.random(in: 0...10_000, using: &temper)), speak)
    }

    private func speakUp(_ name: String, _ temper: inout SeededRandom) {
        let token = "t\(sayings.count)"
        switch Int.random(in: 0..<200, using: &temper) {
        case 0..<90: say("echo \(token)", from: name)
        case 90..<98: say("tell \(Int.random(in: 10...400, using: &temper)) \(token)", from: name)
        case 98..<102: say("more", from: name)
        case 102..<130: say("look \(Int.random(in: 0...40, using: &temper)) \(token)", from: name)
        case 130..<145: say("recite \(Int.random(in: 0...20, using: &temper)) \(token)", from: name)
        case 145..<190: say("deploy \(Int.random(in: 0...60, using: &temper)) \(token)", from: name)
        case 190..<192: say("deploy 400 \(token)", from: name)
        case 192..<194: say("help", from: name)
        case 194: say("echo \(token) " + String(repeating: "long ", count: 4_000), from: name)
        case 195: for _ in 0..<Int.random(in: 20...150, using: &temper) { say("echo t\(sayings.count)", from: name) }
        case 196: for _ in 0..<Int.random(in: 5...90, using: &temper) { say("deploy 1 t\(sayings.count)", from: name) }
        default: say("Good morning, \(token)", from: name)
        }
    }

    /// A person says this to the bot.
    func say(_ body: String, from name: String) {
        guard let person = try? JID(name), let bot = try? JID(Self.account) else { return }
        let id = "m\(sayings.count)"
        let saying = Saying(
            number: sayings.count, id: id, person: name, body: body, at: elapsed,
            isArchived: world.network.host.server.options.archive != nil,
            mayBeReordered: world.network.host.server.isReordering)
        sayings.append(saying)
        said[id] = saying
        let moment = world.moment
        world.network.host { host in
            _ = host.order(at: moment) { $0.say(body, from: person, to: bot, id: id, at: moment) }
        }
    }

    /// What the server's people have heard of the bot.
    var hearing: [String: SimulatedPerson] { world.network.host.server.people }
}
