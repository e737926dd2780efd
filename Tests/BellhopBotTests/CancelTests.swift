import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Cancelling", .timeLimit(.minutes(1)))
struct CancelTests {
    private static let admin = "admin@example.test/desk"

    @Test("cancel stops the sender's command, the handler sees it, and the lane goes on")
    func own() async throws {
        let gate = Gate()
        let diary = Diary()
        let cancelled = Settlement<Bool>()
        let bot = Bot {
            Command("slow", "Wait") { _ in
                try await withTaskCancellationHandler {
                    try await gate.pass()
                } onCancel: {
                    diary.note("cancelled")
                    cancelled.settle(true)
                }
                return "done"
            }.open()
            Command("ping", "Answer pong") { _ in "pong" }.open().inline()
        }
        let stage = try Stage(bot)
        stage.hears("!slow")
        _ = try await gate.arrived.value
        stage.hears("!ping")
        stage.hears("!cancel")
        #expect(
            stage.said() == [
                "I stopped \u{201C}!slow\u{201D}. 1 message of yours waits behind it and is next; cancel all drops them, too.",
                "pong",
            ])
        _ = try await cancelled.value
        #expect(diary.entries == ["cancelled"])
        #expect(stage.ledger.incoming.map(\.state) == ["interrupted", "handled", "handled"])
        #expect(stage.ledger.incoming.map(\.reason) == ["cancelled", nil, nil])
        // The handler still reports that it was cancelled; nothing comes of it, and it is no failure.
        await stage.turn()
        #expect(stage.said() == [])
        #expect(stage.desk.lanes.isEmpty && !stage.desk.isBusy && stage.desk.nextDeadline == nil)
    }

    @Test("a command is cancelled before its task began")
    func early() throws {
        let stage = try Stage(LaneTests.bot([:]))
        stage.hears("!slow 1")
        stage.hears("cancel")
        #expect(stage.said() == ["I stopped \u{201C}!slow 1\u{201D}."])
        #expect(stage.desk.runs.isEmpty)
    }

    @Test("cancel all drops what waits, in memory and in the ledger", arguments: [3, 64])
    func all(limit: Int) async throws {
        let gate = Gate()
        let stage = try Stage(LaneTests.bot(["alice@example.test": gate])) { settings in
            settings.laneLimit = limit
            settings.loopBrake = nil
        }
        for number in 0..<10 { stage.hears("!slow \(number)") }
        stage.hears("!slow 0", from: "bob@example.test/y")
        stage.hears("!cancel ALL")
        #expect(stage.said() == ["I stopped \u{201C}!slow 0\u{201D} and dropped 9 messages that waited behind it."])
        let rows = stage.ledger.incoming.filter { $0.peer == "alice@example.test" }
        #expect(rows.map(\.state) == ["interrupted"] + Array(repeating: "declined", count: 9) + ["handled"])
        #expect(rows.dropFirst().dropLast().allSatisfy { $0.reason == "cancelled" })
        #expect(stage.desk.waitingCount == 0)
        #expect(stage.desk.lanes.count == 1)
        stage.hears("!cancel")
        #expect(stage.said() == ["Nothing of yours is running."])
        gate.open()
    }

    @Test("help and more overtake what waits, ordinary commands do not")
    func overtaking() async throws {
        let gate = Gate()
        let stage = try Stage(LaneTests.bot(["alice@example.test": gate]))
        stage.hears("!slow 1")
        stage.hears("!ping")
        stage.hears("!help ping")
        stage.hears("more")
        #expect(stage.said().count == 2)
        gate.open()
        await stage.turn()
        #expect(stage.said() == ["slow 1", "pong"])
    }

    @Test("an admin stops what runs for somebody; both are told, and others may not")
    func admin() async throws {
        let gate = Gate()
        let stage = try Stage(LaneTests.bot(["alice@example.test": gate]))
        stage.hears("!slow 1")
        stage.hears("!slow 2")
        _ = try await gate.arrived.value
        stage.hears("!cancel alice@example.test", from: "bob@example.test/y")
        #expect(stage.said() == ["Sorry, you may not do that here."])
        stage.hears("!cancel alice@example.test all", from: Self.admin)
        #expect(stage.chat.messages.map(\.to.bareText) == ["alice@example.test", "admin@example.test"])
        #expect(
            stage.said() == [
                "An admin stopped \u{201C}!slow 1\u{201D} and dropped 1 message that waited behind it.",
                "I stopped slow, which ran for alice@example.test, and dropped 1 message that waited behind it.",
            ])
        stage.hears("!cancel alice@example.test/x", from: Self.admin)
        stage.hears("!cancel nobody at all", from: Self.admin)
        stage.hears("!cancel 7", from: "bob@example.test/y")
        #expect(
            stage.said() == [
                "Nothing of alice@example.test is running.",
                "Cancel what? Like: cancel, cancel all, cancel carol@else.example or cancel carol@else.example all",
                "Cancel what? Like: cancel, or cancel all",
            ])
        #expect(
            stage.sink.lines.contains(
                "info handler cancelled: A handler was stopped by a person. handler=slow peer=alice@example.test"))
        gate.open()
    }

    @Test("the audit says that a run was cancelled, and after how long")
    func audited() throws {
        let gate = Gate()
        let stage = try Stage(Bot { Command("deploy", "Deploy") { _ in try await gate.pass() } })
        stage.hears("!deploy", from: Self.admin)
        stage.pass(.seconds(3))
        stage.hears("!cancel", from: Self.admin)
        #expect(stage.ledger.audit.map(\.outcome) == [.cancelled])
        #expect(stage.ledger.audit.map(\.duration) == [.seconds(3)])
        gate.open()
    }

    struct Reading: Sendable {
        var text: String
        var person: String?
        var all = false
        var isRead = true
    }

    static let readings = [
        Reading(text: ""), Reading(text: " \n"), Reading(text: "all", all: true), Reading(text: "All ", all: true),
        Reading(text: "a@b.test", person: "a@b.test"), Reading(text: "a@b.test/x all", person: "a@b.test", all: true),
        Reading(text: "a@b.test c@d.test", isRead: false), Reading(text: "b.test", isRead: false),
        Reading(text: "the meeting", isRead: false), Reading(text: "@", isRead: false),
        Reading(text: String(repeating: "@", count: 5_000), isRead: false),
    ]

    @Test("what stands behind cancel is read, or asked about", arguments: readings)
    func reading(reading: Reading) throws {
        let request = CancelRequest(reading.text)
        #expect((request != nil) == reading.isRead)
        #expect(request?.person?.description == reading.person)
        if reading.isRead { #expect(request?.includesWaiting == reading.all) }
    }
}
