import BellhopEngine
import BellhopTestServer

@testable import Bellhop
@testable import BellhopBot
@testable import BellhopClient
@testable import BellhopJournal

/// What is held in memory, looked at every minute and when all has settled.
extension Soak {
    func scheduleMeasure() {
        world.after(.seconds(60)) { [self] in
            measure()
            guard !isOver else { return }
            scheduleMeasure()
        }
    }

    private func measure() {
        guard let resident else { return }
        for (what, count, most) in sizes(resident) where count > most {
            breaches.append("\(elapsed): \(count) \(what), and \(most) would be many")
        }
    }

    /// What there is of everything that waits, and how much of it is too much.
    private func sizes(_ resident: Resident) -> [(what: String, count: Int, most: Int)] {
        let desk = resident.house.desk
        let chat = resident.house.chat
        let journal = resident.house.ledger.journal
        return [
            ("lanes", desk.lanes.count, 22), ("runs", desk.runs.count, 22),
            ("places in the order of runs", desk.runOrder.count, 200),
            ("runs that will show that they are at work", desk.typingQueue.count, 100),
            ("waiting messages", desk.waitingCount, 21 * 64), ("starting runs", desk.uncommitted.count, 22),
            ("people with held answers", desk.held.count, 21), ("messages that leave", chat.leaving.count, 2_000),
            ("addresses of messages", chat.addressed.count, 5_000),
            ("unacknowledged stanzas", resident.loop.live?.stream?.queue.count ?? 0, StreamLimit.most),
            ("requests without an answer", resident.loop.live?.requests.count ?? 0, 10),
            ("open rows", journal.open.count, 5_000), ("rows in memory", journal.backlog.count, 10_000),
        ]
    }

    private enum StreamLimit { static let most = 5_000 }

    /// After a quarter of an hour without a fault nothing is left to do.
    func inspectSettled() {
        guard let resident else { return breaches.append("the bot is not running when all has settled") }
        let desk = resident.house.desk
        if !resident.loop.isOnline { breaches.append("the bot is not online when all has settled") }
        if desk.isPaused { breaches.append("the bot is still paused when all has settled") }
        let journal = resident.house.ledger.journal
        let left: [(String, Int)] = [
            ("lanes", desk.lanes.count), ("runs", desk.runs.count), ("waiting messages", desk.waitingCount),
            ("starting runs", desk.uncommitted.count),
            ("runs that will show that they are at work", desk.typingQueue.count),
            ("messages that leave", resident.house.chat.leaving.count),
            ("addresses of messages", resident.house.chat.addressed.count),
            ("unacknowledged rows", resident.loop.unacknowledgedRows.count), ("open rows", journal.open.count),
            ("rows in memory", journal.backlog.count), ("unsent messages", resident.house.ledger.unsent().count),
        ]
        for (what, count) in left where count > 0 {
            breaches.append("\(count) \(what) are left when all has settled")
        }
        let waiting = world.network.host.server.offlineIDs(of: Self.account).count
        if waiting > 0 { breaches.append("\(waiting) messages wait at the server when all has settled") }
    }
}
