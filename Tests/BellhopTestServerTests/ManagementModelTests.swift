import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopTestServer

@Suite("The simulated server's stream management (XEP-0198)")
struct ManagementModelTests {
    private static let sm = "xmlns='urn:xmpp:sm:3'"

    @Test("it is offered behind the login, and only where it is on", arguments: [true, false])
    func offered(isOn: Bool) throws {
        var stage = ModelStage { if !isOn { $0.streamManagement = nil } }
        stage.server.connected(1, at: stage.moment)
        #expect(try stage.open().contains { $0.contains("urn:xmpp:sm:3") } == false)
        try stage.authenticate(2)
        try stage.send("<presence/>", on: 1)
        stage = ModelStage { if !isOn { $0.streamManagement = nil } }
        stage.server.connected(1, at: stage.moment)
        try stage.open()
        try stage.send(
            "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>AG9wc2JvdABzZWNyZXQ=</auth>")
        #expect(try stage.open().contains { $0.contains("<sm xmlns='urn:xmpp:sm:3'/>") } == isOn)
    }

    @Test("enable before binding, twice, and without the feature")
    func misplaced() throws {
        var stage = ModelStage()
        try stage.authenticate()
        let early = try stage.send("<enable \(Self.sm)/>")
        #expect(early.first?.contains("<unexpected-request") == true)
        try stage.login(2)
        let second = try stage.send("<enable \(Self.sm)/>", on: 2)
        #expect(second.count == 1 && second.first?.contains("<failed") == true)
        let late = try stage.send("<resume \(Self.sm) h='0' previd='x'/>", on: 2)
        #expect(late.first?.contains("<unexpected-request") == true)
        var bare = ModelStage { $0.streamManagement = nil }
        try bare.bind()
        let refused = try bare.send("<enable \(Self.sm)/>")
        #expect(refused.first?.contains("unsupported-stanza-type") == true && refused.last == "1 close")
    }

    @Test("what enabled says is what the options say")
    func enabled() throws {
        var stage = ModelStage {
            $0.streamManagement?.hibernation = .seconds(42)
            $0.streamManagement?.location = "[2001:db8::1]:5222"
        }
        try stage.bind()
        let answer = try stage.send("<enable \(Self.sm) resume='1'/>").first ?? ""
        #expect(answer.contains("resume='true'") && answer.contains("max='42'"))
        #expect(answer.contains("location='[2001:db8::1]:5222'") && answer.contains(" id='"))
        try stage.bind(2, resource: "other")
        #expect(try stage.send("<enable \(Self.sm)/>", on: 2) == ["2 <enabled xmlns='urn:xmpp:sm:3'/>"])
    }

    @Test("every stanza of the client counts from enable on, whatever is in it, and nothing else does")
    func counted() throws {
        var stage = ModelStage()
        try stage.bind()
        try stage.send("<presence/>")
        try stage.send("<enable \(Self.sm) resume='true'/>")
        #expect(try stage.send("<r \(Self.sm)/>") == ["1 <a xmlns='urn:xmpp:sm:3' h='0'/>"])
        try stage.send(
            "<message to='alice@bots.example.test'><x xmlns='urn:x'/></message><presence/>",
            "<iq type='get' id='p'><ping xmlns='urn:xmpp:ping'/></iq><iq type='result' id='none'/>",
            "<a \(Self.sm) h='0'/>")
        #expect(try stage.send("<r \(Self.sm)/>").last == "1 <a xmlns='urn:xmpp:sm:3' h='4'/>")
    }

    @Test("an acknowledgement is asked for once, and again while something is missing")
    func asks() throws {
        var stage = ModelStage()
        try stage.login()
        let first = try stage.say("one", id: "m1")
        #expect(ModelStage.messages(first) == ["m1"] && first.last == "1 <r xmlns='urn:xmpp:sm:3'/>")
        #expect(try stage.say("two", id: "m2").count == 1)
        #expect(stage.server.unacknowledgedIDs(of: ModelStage.account) == ["m1", "m2"])
        #expect(try stage.send("<a \(Self.sm) h='2'/>") == ["1 <r xmlns='urn:xmpp:sm:3'/>"])
        #expect(stage.server.acknowledged == ["m1"])
        #expect(try stage.send("<a \(Self.sm) h='3'/>") == [])
        #expect(stage.server.unacknowledgedIDs(of: ModelStage.account) == [])
    }

    @Test("a count that cannot be ends the stream and names both counts", arguments: ["4", "0", "4294967295"])
    func impossible(h: String) throws {
        var stage = ModelStage()
        try stage.login()
        try stage.say("one", id: "m1")
        let effects = try stage.send("<a \(Self.sm) h='\(h)'/>")
        #expect(
            effects == [
                "1 <error xmlns='http://etherx.jabber.org/streams'>"
                    + "<undefined-condition xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"
                    + "<handled-count-too-high xmlns='urn:xmpp:sm:3' h='\(h)' send-count='2'/></error>",
                "1 close",
            ])
        #expect(stage.server.counts.brokenStreams == 1)
    }

    @Test("a count that is none ends the stream", arguments: ["h='x'", "h=''", "h='-1'", "h='4294967296'", ""])
    func malformed(attribute: String) throws {
        var stage = ModelStage()
        try stage.login()
        #expect(try stage.send("<a \(Self.sm) \(attribute)/>").last == "1 close")
    }

    @Test("a lost session is taken up before binding, and what was not acknowledged comes again in order")
    func resumed() throws {
        var stage = ModelStage()
        let id = try #require(try stage.login())
        try stage.say("one", id: "m1")
        try stage.say("two", id: "m2")
        stage.lose()
        #expect(try stage.say("three", id: "m3") == [])
        #expect(stage.server.hibernatingCount(of: ModelStage.account) == 1)
        try stage.authenticate(2)
        let effects = try stage.send("<resume \(Self.sm) h='2' previd='\(id)'/>", on: 2)
        #expect(effects.first == "2 <resumed xmlns='urn:xmpp:sm:3' previd='\(id)' h='1'/>")
        #expect(ModelStage.messages(effects, on: 2) == ["m2", "m3"])
        #expect(effects.last == "2 <r xmlns='urn:xmpp:sm:3'/>")
        #expect(stage.server.counts.resumptions == 1)
        #expect(try stage.send("<a \(Self.sm) h='4'/>", on: 2) == [])
    }

    @Test("a session that the server still holds for alive is taken over, and the old connection ends")
    func takenOver() throws {
        var stage = ModelStage()
        let id = try #require(try stage.login())
        try stage.authenticate(2)
        let effects = try stage.send("<resume \(Self.sm) h='1' previd='\(id)'/>", on: 2)
        #expect(effects.prefix(2).last == "1 close" && effects.first?.contains("<conflict") == true)
        stage.lose(1)
        #expect(stage.server.isOnline(ModelStage.account))
    }

    @Test("a session that is no more cannot be taken up; how much of it had arrived is told where it is remembered")
    func expired() throws {
        for remembers in [true, false] {
            var stage = ModelStage { $0.streamManagement?.remembersExpired = remembers }
            let id = try #require(try stage.login())
            try stage.say("one", id: "m1")
            stage.lose()
            #expect(stage.pass(.seconds(599)) == [])
            #expect(stage.server.hibernatingCount(of: ModelStage.account) == 1)
            _ = stage.pass(.seconds(1))
            #expect(stage.server.hibernatingCount(of: ModelStage.account) == 0)
            #expect(stage.server.offlineIDs(of: ModelStage.account) == ["m1"])
            try stage.authenticate(2)
            let effects = try stage.send("<resume \(Self.sm) h='1' previd='\(id)'/>", on: 2)
            #expect(effects.count == 1 && effects.first?.contains("<item-not-found") == true)
            #expect(effects.first?.contains("h='1'") == remembers)
            // The same stream goes on with binding.
            let bound = try stage.send(
                "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>", on: 2)
            #expect(bound.first?.contains("<jid>") == true)
            let online = try stage.send("<presence/>", on: 2)
            #expect(ModelStage.messages(online, on: 2) == ["m1"])
            #expect(online.contains { $0.contains("<delay xmlns='urn:xmpp:delay' from='bots.example.test'") })
        }
    }

    @Test("nobody takes up a session with a count that cannot be, or of another account")
    func foreign() throws {
        var stage = ModelStage { $0.accounts["other"] = "secret" }
        let id = try #require(try stage.login())
        stage.lose()
        try stage.authenticate(2)
        #expect(
            try stage.send("<resume \(Self.sm) h='9' previd='\(id)'/>", on: 2).first?
                .contains("<handled-count-too-high") == true)
        #expect(stage.server.hibernatingCount(of: ModelStage.account) == 0)
        let next = try #require(try stage.login(3))
        stage.lose(3)
        stage.server.connected(4, at: stage.moment)
        try stage.open(4)
        // \0other\0secret
        try stage.send(
            "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>AG90aGVyAHNlY3JldA==</auth>", on: 4)
        try stage.open(4)
        #expect(
            try stage.send("<resume \(Self.sm) h='1' previd='\(next)'/>", on: 4).first?
                .contains("<item-not-found") == true)
        try stage.authenticate(5)
        #expect(
            try stage.send("<resume \(Self.sm) h='1' previd='\(next)'/>", on: 5).first?.contains("<resumed") == true)
    }

    @Test("a client that closes its stream has no session any more; what it has not acknowledged waits for its next")
    func closed() throws {
        var stage = ModelStage()
        try stage.login()
        try stage.say("one", id: "m1")
        stage.server.received(.closed, on: 1, at: stage.moment)
        #expect(stage.effects() == ["1 close"])
        #expect(stage.server.offlineIDs(of: ModelStage.account) == ["m1"])
        #expect(stage.server.hibernatingCount(of: ModelStage.account) == 0)
    }

    @Test("counts go on behind 2³²")
    func wraps() throws {
        var stage = ModelStage()
        try stage.login()
        stage.server.sessions[0].management?.acknowledged = .max - 1
        stage.server.sessions[0].management?.handled = .max
        for number in 1...5 { try stage.say("x", id: "m\(number)") }
        #expect(try stage.send("<a \(Self.sm) h='3'/>") == [])
        #expect(stage.server.unacknowledgedIDs(of: ModelStage.account) == [])
        try stage.send("<presence/>")
        #expect(try stage.send("<r \(Self.sm)/>").last == "1 <a xmlns='urn:xmpp:sm:3' h='0'/>")
    }

    @Test("a lie is told once, and is one")
    func lies() throws {
        for (miscount, expected) in [(Miscount.tooHigh, "1003"), (.tooLow, "1"), (.backwards, "0")] {
            var stage = ModelStage()
            try stage.login()
            #expect(try stage.send("<r \(Self.sm)/>").last?.contains("h='1'") == true)
            stage.server.lie(miscount)
            try stage.send("<presence/><presence/>")
            #expect(try stage.send("<r \(Self.sm)/>").last?.contains("h='\(expected)'") == true)
            #expect(try stage.send("<r \(Self.sm)/>").last?.contains("h='3'") == true)
        }
    }

    @Test("a count that is too low at a resumption is the server's from then on, since the rest comes again")
    func forgets() throws {
        var stage = ModelStage()
        let id = try #require(try stage.login())
        try stage.send("<r \(Self.sm)/>")
        try stage.send("<presence/><presence/>")
        stage.lose()
        stage.server.lie(.tooLow)
        try stage.authenticate(2)
        let resumed = try stage.send("<resume \(Self.sm) h='1' previd='\(id)'/>", on: 2)
        #expect(resumed.first?.contains("h='1'") == true)
        try stage.send("<presence/><presence/>", on: 2)
        #expect(try stage.send("<r \(Self.sm)/>", on: 2).last?.contains("h='3'") == true)
    }

    @Test("without stream management what was on its way is lost, and what comes later is kept")
    func unmanaged() throws {
        var stage = ModelStage { $0.streamManagement = nil }
        try stage.login(managed: false)
        try stage.say("one", id: "m1")
        stage.lose()
        try stage.say("two", id: "m2")
        #expect(stage.server.offlineIDs(of: ModelStage.account) == ["m2"])
        #expect(stage.server.archivedIDs(of: ModelStage.account).map(\.id) == ["m1", "m2"])
    }
}
