import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

/// What both ends of a stream count that SASL2 has turned stream management on for: a whole conversation, word by word.
@Suite("Counts of a stream that began with SASL2 (XEP-0198, XEP-0386)")
struct SASL2CountTests {
    private static let sm = "urn:xmpp:sm:3"

    private enum Line {
        case client(String)
        case server(String)
        /// Both counts: how many of the client's stanzas the server has, and how many of the server's the client has.
        case counts(sent: UInt32, handled: UInt32)
    }

    /// From behind the login on; the first line is written in the same turn that saw `<bound/>` and the features.
    private static let conversation: [Line] = [
        .counts(sent: 0, handled: 0),
        .client("<iq xmlns='jabber:client' type='get' id='1' to='example.test'><time xmlns='urn:xmpp:time'/></iq>"),
        .client("<iq xmlns='jabber:client' type='get' id='2'><query xmlns='jabber:iq:roster'/></iq>"),
        .counts(sent: 2, handled: 0),
        .server("<iq xmlns='jabber:client' type='result' id='1' from='example.test'/>"),
        .server("<features xmlns='http://etherx.jabber.org/streams'/>"),
        .server("<iq xmlns='jabber:client' type='result' id='2'/>"),
        .counts(sent: 2, handled: 2),
        .client("<presence xmlns='jabber:client'/>"),
        .server("<r xmlns='urn:xmpp:sm:3'/>"),
        .client("<a xmlns='urn:xmpp:sm:3' h='2'/>"),
        .client("<r xmlns='urn:xmpp:sm:3'/>"),
        .server("<a xmlns='urn:xmpp:sm:3' h='3'/>"),
        .server("<message xmlns='jabber:client' from='bob@example.test/x'><body>hi</body></message>"),
        .client("<message xmlns='jabber:client' to='bob@example.test/x'><body>hi</body></message>"),
        .counts(sent: 4, handled: 3),
    ]

    /// The machine behind a login with an inline `<enabled/>`, and what the server would have counted.
    private struct Ends {
        var machine: StreamManagement
        /// What the server has of the client's stanzas, and has sent itself.
        var serverHas: UInt32 = 0
        var serverSent: UInt32 = 0

        mutating func happened(_ line: Line, _ number: Int) throws {
            switch line {
            case .counts(let sent, let handled):
                #expect(machine.sent == sent && serverHas == sent, "line \(number)")
                #expect(machine.handled == handled && serverSent == handled, "line \(number)")
            case .client(let xml):
                let element = try Element.parse(xml)
                if Self.isStanza(element) {
                    serverHas += 1
                    machine.sent(.stanza(element), now: .zero)
                } else if element.name == "a" {
                    machine.noteStored()
                    #expect(machine.takeAnswer()["h"] == element["h"], "line \(number)")
                }
            case .server(let xml):
                let element = try Element.parse(xml)
                if Self.isStanza(element) {
                    serverSent += 1
                    machine.received(isMessage: element.name == "message")
                } else if element.name == "r" {
                    machine.receivedRequest()
                } else if element.name == "a" {
                    let count = try #require(StreamManagement.count(in: element))
                    #expect(count == serverHas)
                    _ = try machine.acknowledged(count)
                }
            }
        }

        private static func isStanza(_ element: Element) -> Bool {
            element.namespace == "jabber:client" && ["message", "presence", "iq"].contains(element.name)
        }
    }

    /// A login that binds along the way; its elements count for nobody.
    private func bound() throws -> Bound {
        var dialogue = Dialogue(try plan(sasl2: SASL2.wish))
        try dialogue.proves()
        try dialogue.succeeds(
            "<bound xmlns='urn:xmpp:bind:0'><enabled xmlns='\(Self.sm)' id='s1' resume='true'/></bound>")
        try dialogue.serverLists(SASL2.afterwards)
        guard case .online(let bound)? = dialogue.pending.first else {
            throw SASL2Tests.Missing(pending: dialogue.pending)
        }
        return bound
    }

    @Test("all that follows <enabled/> counts, from the first request on, and nothing of the login does")
    func fromTheFirst() throws {
        var ends = Ends(machine: StreamManagement())
        ends.machine.receivedEnabled(try #require(try bound().enabled))
        #expect(ends.machine.isResumable)
        for (number, line) in Self.conversation.enumerated() { try ends.happened(line, number) }
        let (acknowledged, again) = try ends.machine.resumed(4)
        #expect(acknowledged.isEmpty && again.isEmpty)
    }

    @Test(
        "a resumption within the next login goes on with both counts, whatever was on the way",
        arguments: [UInt32](3...4))
    func goesOn(serverHas: UInt32) throws {
        var ends = Ends(machine: StreamManagement())
        ends.machine.receivedEnabled(try #require(try bound().enabled))
        for (number, line) in Self.conversation.enumerated() { try ends.happened(line, number) }
        // The line broke: the client's last word reached the server, or did not. Its own count is what is in the journal.
        ends.machine.noteStored()
        ends.machine.resuming()
        let record = try #require(ends.machine.stored(bound: try JID("alice@example.test/bellhop~x1")))
        var plan = try plan(sasl2: SASL2.wish)
        plan.resumption = Resumption(id: record.id, handled: record.handled, bound: record.bound)
        var dialogue = Dialogue(plan)
        try dialogue.proves(
            requests: SASL2.agent + "<resume xmlns='\(Self.sm)' h='3' previd='s1'/>" + SASL2.bind)
        try dialogue.succeeds("<resumed xmlns='\(Self.sm)' h='\(serverHas)' previd='s1'/>")
        guard case .resumed(let session, let handled)? = dialogue.pending.first else {
            throw SASL2Tests.Missing(pending: dialogue.pending)
        }
        #expect(session.jid == record.bound && handled == serverHas)
        let (_, again) = try ends.machine.resumed(handled)
        #expect(again.count == Int(4 - serverHas))
        // Written again, each takes its number again; the features that some servers say once more take none.
        for entry in again { ends.machine.sent(entry, now: .zero) }
        ends.serverHas = 4
        try ends.happened(.server("<features xmlns='http://etherx.jabber.org/streams'/>"), 0)
        try ends.happened(.counts(sent: 4, handled: 3), 1)
        try ends.happened(.client("<iq xmlns='jabber:client' type='get' id='3'/>"), 2)
        try ends.happened(.server("<iq xmlns='jabber:client' type='result' id='3'/>"), 3)
        try ends.happened(.counts(sent: 5, handled: 4), 4)
    }
}
