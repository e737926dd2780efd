import EndToEndSupport
import Testing

@testable import chaos

@Suite("The parts of a chaos run")
struct ScheduleTests {
    private func options(_ words: String) throws(ChaosOptions.Problem) -> ChaosOptions {
        try ChaosOptions(words.split(separator: " ").map(String.init), drawn: 7)
    }

    @Test("the same seed gives the same schedule, another seed another")
    func seeded() throws {
        let first = Schedule(try options("--seed 3 --messages 200"))
        #expect(first == Schedule(try options("--seed 3 --messages 200")))
        #expect(first != Schedule(try options("--seed 4 --messages 200")))
    }

    @Test("a schedule has what was asked for, in order and within its messages")
    func counted() throws {
        let schedule = Schedule(try options("--messages 100 --kills 5 --cuts 7 --server-deaths 2"))
        #expect(Set(schedule.messages.map(\.id)).count == 100)
        #expect(Set(schedule.messages.map(\.command)) == Set(ChaosCommand.allCases))
        #expect(schedule.blows.count { $0.kind == .kill } == 5)
        let deaths = schedule.blows.count { if case .serverDeath = $0.kind { true } else { false } }
        #expect(deaths == 2)
        #expect(schedule.blows.count == 14)
        #expect(schedule.blows.allSatisfy { (1...100).contains($0.after) })
        #expect(schedule.blows.map(\.after) == schedule.blows.map(\.after).sorted())
    }

    @Test("the command line is read, and what is wrong with it is said")
    func commandLine() throws {
        #expect(try options("") == ChaosOptions(seed: 7))
        #expect(try options("--server ejabberd --keep x").server == .ejabberd)
        #expect(try options("--keep /tmp/x").keep == "/tmp/x")
        let wrong = [
            "--sed 3": "there is no option --sed",
            "--seed": "--seed needs a value",
            "--seed -1": "--seed is a whole number, not -1",
            "--messages 0": "--messages is a number from 1 to 100000, not 0",
            "--kills many": "--kills is a number from 0 to 10000, not many",
            "--server openfire": "--server is prosody or ejabberd, not openfire",
        ]
        for (words, sentence) in wrong {
            #expect(throws: ChaosOptions.Problem(sentence: sentence)) { try options(words) }
        }
    }

    @Test("answers, interruptions and anything else are told apart")
    func words() {
        #expect(HeardWords("note: m0012") == .answer(to: "m0012"))
        #expect(HeardWords("mirror: m123456") == .answer(to: "m123456"))
        #expect(
            HeardWords("I was restarted while I worked on \u{201C}note m0012\u{201D}.") == .interruption(of: "m0012"))
        #expect(HeardWords("That took too long: note m0012") == .other)
        #expect(HeardWords("note: m12") == .other)
        #expect(HeardWords("") == .other)
    }

    @Test("what the server has acknowledged is not sent again, and the counter wraps around")
    func acknowledged() throws {
        var queue = UnacknowledgedQueue()
        for id in ["a", "b", "c"] { queue.sent(.init(id: id, stanza: "")) }
        #expect(try queue.acknowledged(1) == ["a"])
        #expect(try queue.acknowledged(1) == [])
        #expect(try queue.acknowledged(3) == ["b", "c"])
        #expect(throws: UnacknowledgedQueue.Fault.tooHigh(h: 4, sent: 3)) { try queue.acknowledged(4) }
        queue.sent(.init(id: "d", stanza: ""))
        queue.sent(.init(id: nil, stanza: ""))
        #expect(queue.sessionBegan().map(\.id) == ["d"])
        #expect(queue.entries == [])
    }

    @Test("the ids of the bot's messages are found in what it wrote")
    func sentIDs() {
        let line =
            #"<message to="a" id="x1"><body>1</body></message><iq id="i"/><message id='x2' to='b'/><message to='c'/>"#
        #expect(SentIDs.messageIDs(in: line[...]) == ["x1", "x2"])
        #expect(SentIDs.messageIDs(in: "<presence/><message id='x3'/>") == ["x3"])
        #expect(SentIDs.messageIDs(in: "") == [])
    }
}
