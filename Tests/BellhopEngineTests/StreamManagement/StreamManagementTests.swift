import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("Stream management (XEP-0198)")
struct StreamManagementTests {
    private let now: Duration = .seconds(100)
    private let enabled = "<enabled xmlns='urn:xmpp:sm:3' id='s1' resume='true' max='300'/>"

    private func machine(_ enabled: String? = nil) throws -> StreamManagement {
        var machine = StreamManagement()
        machine.receivedEnabled(try Element.parse(enabled ?? self.enabled))
        return machine
    }

    /// A stream whose counts stand at these numbers.
    private func machine(acknowledged: UInt32, handled: UInt32 = 0) throws -> StreamManagement {
        var machine = StreamManagement(
            StoredStream(
                id: "s1", bound: try JID("bot@example.org/x"), handled: handled, acknowledged: acknowledged))
        _ = try machine.resumed(acknowledged)
        return machine
    }

    private let iq = Element("iq", namespace: Namespace.client).with("id", "1")

    @Test("what goes out counts from <enable/>, what comes in from <enabled/>")
    func beginning() throws {
        var machine = StreamManagement()
        machine.sent(.stanza(iq), now: now)
        machine.received(isMessage: true)
        #expect(machine.sent == 1 && machine.handled == 0 && !machine.owesAnswer)
        machine.receivedEnabled(try Element.parse(enabled))
        machine.receivedRequest()
        machine.received(isMessage: false)
        #expect(machine.sent == 1 && machine.handled == 1)
        #expect(machine.takeAnswer() == Element("a", namespace: Namespace.streamManagement).with("h", "1"))
        #expect(!machine.owesAnswer)
    }

    @Test(
        "a stream goes on only where the server says so and names it",
        arguments: [
            ("<enabled xmlns='urn:xmpp:sm:3' id='s1' resume='true'/>", true),
            ("<enabled xmlns='urn:xmpp:sm:3' id='s1' resume='1'/>", true),
            ("<enabled xmlns='urn:xmpp:sm:3' id='s1' resume='false'/>", false),
            ("<enabled xmlns='urn:xmpp:sm:3' id='s1'/>", false),
            ("<enabled xmlns='urn:xmpp:sm:3' resume='true'/>", false),
            ("<enabled xmlns='urn:xmpp:sm:3' id='' resume='true'/>", false),
            ("<enabled xmlns='urn:xmpp:sm:3' id='\(String(repeating: "x", count: 5_000))' resume='true'/>", false),
        ])
    func resumable(enabled: String, isResumable: Bool) throws {
        let machine = try machine(enabled)
        #expect(machine.isEnabled && machine.isResumable == isResumable)
        #expect((machine.stored(bound: try JID("a@b/c")) != nil) == isResumable)
    }

    @Test("acknowledgements drop what they count, and say which rows")
    func acknowledged() throws {
        var machine = try machine()
        machine.sent(row: 7, now: now)
        machine.sent(.stanza(iq), now: now)
        machine.sent(.counted, now: now)
        machine.sent(row: 9, now: now)
        #expect(machine.queue.rows == [7, 9] && machine.queue.rowCount == 2)
        #expect(try machine.acknowledged(0) == [])
        #expect(try machine.acknowledged(3) == [7])
        #expect(try machine.acknowledged(3) == [])
        #expect(try machine.acknowledged(4) == [9])
        #expect(machine.queue.count == 0 && machine.queue.rowCount == 0 && machine.sent == 4)
    }

    @Test("counts go on behind 2^32")
    func wrapAround() throws {
        var machine = try machine(acknowledged: .max - 1, handled: .max)
        for row in 1...5 { machine.sent(row: Int64(row), now: now) }
        #expect(machine.sent == 3)
        #expect(try machine.acknowledged(.max) == [1])
        #expect(try machine.acknowledged(3) == [2, 3, 4, 5])
        #expect(machine.queue.count == 0)
        machine.received(isMessage: true)
        #expect(machine.handled == 0)
        machine.receivedRequest()
        #expect(machine.takeAnswer()["h"] == "0")
    }

    @Test("a count that cannot be is a fault, and changes nothing")
    func faults() throws {
        var machine = try machine(acknowledged: 10)
        machine.sent(row: 1, now: now)
        #expect(throws: StreamManagement.Fault.tooHigh(handled: 12, sent: 11)) { try machine.acknowledged(12) }
        #expect(throws: StreamManagement.Fault.backwards(handled: 9, before: 10)) { try machine.acknowledged(9) }
        #expect(machine.queue.rows == [1] && machine.acknowledged == 10)
        #expect(try machine.acknowledged(11) == [1])
        #expect(
            StreamManagement.Fault.tooHigh(handled: 12, sent: 11).element.serialized(in: Namespace.streams)
                == "<error><undefined-condition xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"
                + "<handled-count-too-high xmlns='urn:xmpp:sm:3' h='12' send-count='11'/></error>")
    }

    @Test(
        "only plain numbers are counts",
        arguments: [
            ("4294967295", UInt32.max), ("0", 0), ("007", 7), ("4294967296", nil), ("-1", nil), ("+1", nil), ("", nil),
            (" 1", nil), ("1e3", nil), ("99999999999", nil), ("٣", nil),
        ] as [(String, UInt32?)])
    func numbers(text: String, count: UInt32?) {
        let element = Element("a", namespace: Namespace.streamManagement).with("h", text)
        #expect(StreamManagement.count(in: element) == count)
        #expect(StreamManagement.count(in: Element("a", namespace: Namespace.streamManagement)) == nil)
    }

    @Test("a resumption drops what arrived, writes the rest again in order, and sets no count back")
    func resumed() throws {
        var machine = try machine()
        for row in [3, 4, 5] { machine.sent(row: Int64(row), now: now) }
        machine.sent(.counted, now: now)
        machine.sent(.stanza(iq), now: now)
        for _ in 0..<4 { machine.received(isMessage: true) }
        let (rows, again) = try machine.resumed(1)
        #expect(rows == [3])
        #expect(again == [.message(row: 4), .message(row: 5), .stanza(iq)])
        #expect(machine.handled == 4 && machine.sent == 1)
        // What is written again takes the numbers behind what arrived.
        for entry in again { machine.sent(entry, now: now) }
        #expect(machine.sent == 4)
        #expect(try machine.acknowledged(4) == [4, 5])
    }

    @Test("a server that knows more of an earlier process's stream than its record is not believed about any of it")
    func inherited() throws {
        var queue = OutgoingQueue()
        queue.append(row: 7)
        let record = StoredStream(
            id: "s1", bound: try JID("bot@example.org/x"), handled: 0, acknowledged: 3, queue: queue)
        var machine = StreamManagement(record)
        let lost = machine.lost(9)
        #expect(lost.acknowledged == [] && lost.uncertain.rows == [7])
        machine = StreamManagement(record)
        #expect(throws: StreamManagement.Fault.backwards(handled: 2, before: 3)) { try machine.resumed(2) }
        #expect(throws: StreamManagement.Fault.tooHigh(handled: 9, sent: 4)) { try machine.resumed(9) }
        #expect(machine.queue.rows == [7])
    }

    @Test("while nothing can be stored the server hears the count that is, once for each question")
    func putOff() throws {
        var machine = try machine()
        machine.received(isMessage: true)
        machine.noteStored()
        machine.received(isMessage: true)
        #expect(machine.takeOldAnswer() == nil, "nobody asked")
        machine.receivedRequest()
        #expect(machine.takeOldAnswer()?["h"] == "1" && machine.takeOldAnswer() == nil)
        machine.receivedRequest()
        #expect(machine.takeOldAnswer()?["h"] == "1")
        #expect(machine.owesAnswer && machine.takeAnswer()["h"] == "2" && !machine.owesAnswer)
        #expect(machine.takeOldAnswer() == nil)
    }

    @Test("a resumption is asked for with the count that is stored, and counts on from there")
    func resuming() throws {
        var machine = try machine()
        machine.received(isMessage: true)
        machine.noteStored()
        machine.received(isMessage: true)
        machine.resuming()
        let bound = try JID("a@b/c")
        #expect(machine.handled == 1 && machine.stored(bound: bound)?.handled == 1)
        _ = try machine.resumed(0)
        machine.received(isMessage: true)
        #expect(machine.handled == 2)
    }

    @Test("questions and presence do not wait for a place, so a stream with too many of them cannot go on")
    func overflow() throws {
        var machine = try machine()
        for _ in 1..<StreamManagement.most { machine.sent(.stanza(iq), now: now) }
        #expect(machine.isFull && machine.overflow == nil)
        machine.sent(.counted, now: now)
        #expect(machine.overflow == .unacknowledged(count: StreamManagement.most))
        _ = try machine.acknowledged(1)
        #expect(machine.overflow == nil)
    }

    @Test("a resumption with a count that cannot be is a fault")
    func resumedWrongly() throws {
        var machine = try machine()
        machine.sent(row: 1, now: now)
        #expect(throws: StreamManagement.Fault.tooHigh(handled: 2, sent: 1)) { try machine.resumed(2) }
        #expect(machine.lost(nil).uncertain.rows == [1])
    }

    @Test("a lost stream says what arrived, where the server knows it, and what nobody knows of")
    func lost() throws {
        for (count, rows, uncertain) in [(1, [1], [2]), (nil, [], [1, 2]), (9, [], [1, 2])]
            as [(UInt32?, [Int64], [Int64])]
        {
            var machine = try machine()
            machine.sent(row: 1, now: now)
            machine.sent(row: 2, now: now)
            machine.sent(.stanza(iq), now: now)
            let lost = machine.lost(count)
            #expect(lost.acknowledged == rows && lost.uncertain.rows == uncertain)
            #expect(lost.uncertain.wholeStanzas == [iq])
        }
    }

    @Test("the server is asked after fifty stanzas, or a quarter of a second, and not before")
    func asking() throws {
        var machine = try machine()
        #expect(machine.deadline == nil && !machine.takeRequest(now: now))
        machine.sent(row: 1, now: now)
        #expect(machine.deadline == now + .milliseconds(250))
        #expect(machine.takeRequest(now: now) == false)
        #expect(machine.takeRequest(now: now + .milliseconds(250)) == true)
        #expect(machine.deadline == nil && !machine.takeRequest(now: now + .seconds(9)))
        for row in Int64(2)...51 { machine.sent(row: row, now: now) }
        #expect(machine.takeRequest(now: now) == true)
        machine.sent(row: 52, now: now)
        #expect(machine.takeRequest(now: now, atOnce: true) == true)
        machine.sent(row: 53, now: now)
        _ = try machine.acknowledged(53)
        #expect(machine.deadline == nil, "there is nothing left to ask for")
    }

    @Test("fifty stanzas are acknowledged without being asked")
    func unasked() throws {
        var machine = try machine()
        for _ in 0..<49 { machine.received(isMessage: false) }
        #expect(!machine.owesAnswer)
        machine.received(isMessage: false)
        #expect(machine.owesAnswer && machine.takeAnswer()["h"] == "50" && !machine.owesAnswer)
    }

    @Test("a full queue turns messages away and takes acknowledgements")
    func full() throws {
        var machine = try machine()
        for row in 1...Int64(StreamManagement.limit) { machine.sent(row: row, now: now) }
        #expect(machine.isFull)
        #expect(try machine.acknowledged(1) == [1])
        #expect(!machine.isFull)
    }

    @Test("something is to be stored when a message came, when something went out, and before a count is told")
    func storing() throws {
        let bound = try JID("bot@example.org/x")
        var machine = try machine()
        #expect(machine.takeChange(bound: bound) != nil, "the stream's name is new")
        #expect(machine.takeChange(bound: bound) == nil)
        machine.received(isMessage: false)
        #expect(machine.takeChange(bound: bound) == nil)
        machine.receivedRequest()
        #expect(machine.takeChange(bound: bound)?.handled == 1)
        _ = machine.takeAnswer()
        #expect(machine.takeChange(bound: bound) == nil)
        machine.received(isMessage: true)
        #expect(machine.takeChange(bound: bound)?.handled == 2)
        machine.sent(row: 4, now: now)
        #expect(machine.takeChange(bound: bound)?.queue.rows == [4])
        _ = try machine.acknowledged(1)
        #expect(machine.takeChange(bound: bound) == nil, "an older record says more than is true, and does no harm")
    }
}
