import EndToEndSupport

/// A command of the fixture bot.
enum ChaosCommand: String, CaseIterable, Sendable {
    /// Answered on the spot.
    case mirror
    /// Answered after a while, and simply run again after a restart.
    case ponder
    /// Appends a line to a file; not run again.
    case note

    var isIdempotent: Bool { self != .note }
}

/// A message that somebody is going to say.
struct PlannedMessage: Equatable, Sendable {
    /// Names it everywhere: the stanza's id, in the text, in the answer, in the file of effects.
    var id: String
    var person: Int
    var command: ChaosCommand
    /// Whether it goes to the bot's full address, as clients do once they were answered.
    var usesFullAddress: Bool

    var body: String { "\(command.rawValue) \(id)" }
}

/// Something that is done to the bot, its line or its server.
struct Blow: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case kill
        case cut(Relay.Cut)
        /// So many messages are still said whose acknowledgements are lost.
        case serverDeath(unheard: Int)
    }

    var kind: Kind
    /// After how many messages it comes.
    var after: Int
    /// How many answers are let come through first, if so many are waited for.
    var answers: Int
}

/// Who says what, and what is killed or cut after which message; the same for the same options.
struct Schedule: Equatable, Sendable {
    static let people = 20

    var messages: [PlannedMessage]
    /// In the order in which they come.
    var blows: [Blow]

    init(_ options: ChaosOptions) {
        var chance = SeededChance(seed: options.seed)
        messages = (0..<options.messages).map { number in
            let command: ChaosCommand =
                switch chance.next() % 4 {
                case 0: .mirror
                case 1: .ponder
                default: .note
                }
            return PlannedMessage(
                id: Self.id(number), person: Int(chance.next() % UInt64(Self.people)), command: command,
                usesFullAddress: chance.next() % 4 == 0)
        }
        var blows: [Blow] = []
        func add(_ count: Int, _ kind: (inout SeededChance) -> Blow.Kind) {
            for _ in 0..<count {
                let after = 1 + Int(chance.next() % UInt64(options.messages))
                blows.append(Blow(kind: kind(&chance), after: after, answers: Int(chance.next() % 4)))
            }
        }
        add(options.kills) { _ in .kill }
        add(options.cuts) { chance in
            .cut(Relay.Cut.allCases[Int(chance.next() % UInt64(Relay.Cut.allCases.count))])
        }
        add(options.serverDeaths) { .serverDeath(unheard: Int($0.next() % 4)) }
        blows.shuffle(using: &chance)
        self.blows = blows.sorted { $0.after < $1.after }
    }

    /// `m` and at least four digits.
    static func id(_ number: Int) -> String {
        let digits = String(number)
        return "m" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
