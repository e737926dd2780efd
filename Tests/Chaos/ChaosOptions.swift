import EndToEndSupport

/// What the command line asks for.
struct ChaosOptions: Equatable, Sendable {
    /// Fixes what is said by whom, and what is killed or cut after which message.
    var seed: UInt64
    var messages = 1_000
    var kills = 50
    var cuts = 50
    var serverDeaths = 5
    var server = RealServer.Kind.prosody
    /// Where journal, logs and effects are copied to; nil leaves nothing behind.
    var keep: String?

    /// A wrong command line, in a sentence for whoever typed it.
    struct Problem: Error, Equatable {
        var sentence: String
    }

    static let usage = """
        usage: scripts/chaos [--seed N] [--messages 1000] [--kills 50] [--cuts 50] [--server-deaths 5]
                             [--server prosody|ejabberd] [--keep DIR]
          --seed N            fixes what is said by whom, and what is killed or cut after which message; else it is drawn
          --messages N        how many messages 20 people send to the bot
          --kills N           how often the bot is killed (SIGKILL) and started again
          --cuts N            how often the line between bot and server is cut
          --server-deaths N   how often Prosody is killed, or ejabberd stopped in order, and started again
          --server NAME       prosody or ejabberd
          --keep DIR          copies the journal, the effects and all logs there
        Exit 0: nothing lost, nothing done twice. 1: a breach, each with what the log has and what the person heard.
        69: server or bot could not be run. 64: wrong usage.
        """

    init(seed: UInt64) { self.seed = seed }

    /// Reads the arguments behind the program's name; `drawn` is the seed where none is given.
    init(_ arguments: [String], drawn: UInt64) throws(Problem) {
        self.init(seed: drawn)
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard Self.names.contains(option) else { throw Problem(sentence: "there is no option \(option)") }
            guard let value = rest.popFirst() else { throw Problem(sentence: "\(option) needs a value") }
            try set(option, value)
        }
    }

    private static let names = [
        "--seed", "--messages", "--kills", "--cuts", "--server-deaths", "--server", "--keep",
    ]

    private mutating func set(_ option: String, _ value: String) throws(Problem) {
        switch option {
        case "--seed":
            guard let seed = UInt64(value) else { throw Problem(sentence: "--seed is a whole number, not \(value)") }
            self.seed = seed
        case "--server":
            guard let server = RealServer.Kind(rawValue: value) else {
                throw Problem(sentence: "--server is prosody or ejabberd, not \(value)")
            }
            self.server = server
        case "--keep": keep = value
        case "--messages": messages = try Self.count(option, value, 1...100_000)
        case "--kills": kills = try Self.count(option, value, 0...10_000)
        case "--cuts": cuts = try Self.count(option, value, 0...10_000)
        default: serverDeaths = try Self.count(option, value, 0...1_000)
        }
    }

    private static func count(_ option: String, _ value: String, _ range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let count = Int(value), range.contains(count) else {
            throw Problem(
                sentence: "\(option) is a number from \(range.lowerBound) to \(range.upperBound), not \(value)")
        }
        return count
    }
}
