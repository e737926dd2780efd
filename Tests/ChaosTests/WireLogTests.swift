import Testing

@testable import chaos

@Suite("What the bot wrote, by its own log")
struct WireLogTests {
    private static let begun =
        "1 trace out: <enable xmlns='urn:xmpp:sm:3' resume='true'/><iq id='i' type='get'><query/></iq>"

    private static func out(_ ids: String...) -> String {
        "2 trace out: " + ids.map { "<message to='a@b' id='\($0)'><body>x</body></message>" }.joined()
    }

    @Test("messages are counted by their ids, however the tags are written")
    func counted() {
        let line =
            #"1 trace out: <presence/><message to="a" id="x1"><body>id='no'</body></message><message id='x2' to='b'/><message to='c'/>"#
        #expect(WireLog([[line], [line]]).written == ["x1": 2, "x2": 2])
        #expect(WireLog([["1 trace in: <message id='x1'/>", "1 info online: <message id='x2'>", ""]]).written == [:])
    }

    @Test("what is behind the server's h may be written again, what it covers may not")
    func covered() {
        let log = WireLog([
            [Self.begun, Self.out("x1", "x2", "x3"), "3 trace in: <resumed previd='s' h='3'/>", Self.out("x3")]
        ])
        #expect(log.writtenThoughAcknowledged == [])
        // The request counts, too.
        for word in ["a h='3'", "resumed h='3' previd='s'", "failed h='3'"] {
            let log = WireLog([
                [Self.begun, Self.out("x1", "x2", "x3"), "3 trace in: <\(word)/>", Self.out("x2", "x3")]
            ])
            #expect(log.writtenThoughAcknowledged == ["x2"], "\(word)")
        }
    }

    @Test("counting goes on in the next process where the stream goes on, and begins anew where it does not")
    func processes() {
        let first = [Self.begun, Self.out("x1", "x2")]
        let resumed = [
            "1 trace in: <resumed h='2' previd='s'/>", Self.out("x2", "x3"), "2 trace in: <a h='3'/>", Self.out("x2"),
        ]
        #expect(WireLog([first, resumed]).writtenThoughAcknowledged == ["x2"])
        let anew = [Self.begun, "1 trace in: <a h='1'/>", Self.out("x1", "x2")]
        #expect(WireLog([first, anew]).writtenThoughAcknowledged == [])
    }

    @Test("what the server told a process that was killed, the next cannot know")
    func forgotten() {
        let first = [Self.begun, Self.out("x1"), "2 trace in: <a h='2'/>"]
        #expect(WireLog([first, [Self.begun, Self.out("x1")]]).writtenThoughAcknowledged == [])
    }

    @Test("no count of the server's is too odd", arguments: ["-1", "99", "x", "", "99999999999999999999"])
    func odd(h: String) {
        let log = WireLog([[Self.begun, Self.out("x1"), "2 trace in: <resumed h='\(h)'/>", Self.out("x2")]])
        #expect(log.written == ["x1": 1, "x2": 1])
    }
}
