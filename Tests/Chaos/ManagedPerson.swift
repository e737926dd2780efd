import BellhopTransport
import EndToEndSupport

/// Somebody who talks to the bot with a client that uses stream management (XEP-0198) and reads its archive (XEP-0313).
///
/// After a break it resumes its session; where the server does not know that any more, it binds a new one, sends again
/// under the same id what was not acknowledged, and looks in its archive for what it missed.
final class ManagedPerson: Sendable {
    let number: Int
    let name: String
    private let inbox: Inbox<Input>
    private let wakeup: Wakeup

    enum Input: Sendable {
        case say(PlannedMessage)
        case reviewArchive
        case leave
    }

    init(_ number: Int) throws {
        self.number = number
        name = "person\(number)"
        wakeup = try Wakeup()
        inbox = Inbox(wakeup: wakeup)
    }

    /// Begins to live, on a thread of its own: registers, logs in, and comes back after each break until it is told to leave.
    func live(at server: RealServer, talkingTo bot: String, gate: ServerGate, census: Census) throws {
        try LoopThread.start(name) { [self] in
            PersonLoop(self, server: server, bot: bot, gate: gate, census: census, inbox: inbox, wakeup: wakeup).run()
        }
    }

    func say(_ message: PlannedMessage) { inbox.post(.say(message)) }

    /// Reads the whole archive with the bot once more.
    func reviewArchive() { inbox.post(.reviewArchive) }

    func leave() { inbox.post(.leave) }
}
