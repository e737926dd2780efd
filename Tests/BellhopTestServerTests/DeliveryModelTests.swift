import BellhopXML
import BellhopXMPP
import Testing

@testable import BellhopTestServer

@Suite("The simulated server's deliveries, rosters and archive")
struct DeliveryModelTests {
    @Test("what is said while nobody is there waits, with its moment and its place in the archive")
    func offline() throws {
        var stage = ModelStage()
        try stage.say("one", id: "m1")
        stage.time += 5_000
        try stage.say("two", id: "m2")
        try stage.bind()
        let effects = try stage.send("<presence/>")
        #expect(ModelStage.messages(effects) == ["m1", "m2"])
        let first = effects.first { $0.contains("id='m1'") } ?? ""
        #expect(first.contains("stamp='1970-01-01T00:16:40.000Z'"))
        let archived = stage.server.archivedIDs(of: ModelStage.account)
        #expect(
            first.contains(
                "<stanza-id xmlns='urn:xmpp:sid:0' by='\(ModelStage.account)' id='\(archived[0].archiveID)'/>"))
        #expect(stage.server.offlineIDs(of: ModelStage.account) == [])
    }

    @Test("before its presence a session gets nothing that is for the bare address")
    func unannounced() throws {
        var stage = ModelStage()
        try stage.bind()
        #expect(try stage.say("one", id: "m1") == [])
        #expect(ModelStage.messages(try stage.send("<presence><priority>-1</priority></presence>")) == [])
        #expect(ModelStage.messages(try stage.send("<presence/>")) == [])
        #expect(try stage.say("two", id: "m2").count == 1)
    }

    @Test("the client with the highest priority has the message, the others have carbons if they want them")
    func carbons() throws {
        var stage = ModelStage()
        try stage.login(1, managed: false)
        try stage.login(2, resource: "phone", managed: false)
        try stage.send("<presence><priority>5</priority></presence>", on: 2)
        try stage.send("<iq type='set' id='c'><enable xmlns='urn:xmpp:carbons:2'/></iq>", on: 1)
        let effects = try stage.say("one", id: "m1")
        #expect(ModelStage.messages(effects, on: 2) == ["m1"])
        let carbon = effects.first { $0.hasPrefix("1 ") } ?? ""
        #expect(
            carbon.hasPrefix("1 <message from='\(ModelStage.account)' to='\(ModelStage.account)/main' type='chat'>"))
        #expect(carbon.contains("<received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"))
        let sent = try stage.send(
            "<message to='\(ModelStage.alice)' type='chat' id='r1'><body>hi</body></message>", on: 2)
        #expect(sent.count == 1 && sent[0].contains("<sent xmlns='urn:xmpp:carbons:2'>"))
        let hidden = try stage.send(
            "<message to='\(ModelStage.alice)' type='chat'><body>hi</body><private xmlns='urn:xmpp:carbons:2'/></message>",
            on: 2)
        #expect(hidden == [])
    }

    @Test("what the bot says is written down for the person, once for each time, and strangers bounce")
    func heard() throws {
        var stage = ModelStage()
        stage.server.add(try JID(ModelStage.alice))
        try stage.login(managed: false)
        let message = "<message to='\(ModelStage.alice)/phone' type='chat' id='r1'><body>pong</body></message>"
        #expect(try stage.send(message, message) == [])
        let heard = stage.server.people[ModelStage.alice]?.heard ?? []
        #expect(heard.map(\.id) == ["r1", "r1"] && heard.map(\.body) == ["pong", "pong"])
        #expect(heard.first?.from == "\(ModelStage.account)/main")
        for (to, reason) in [
            ("nobody@bots.example.test", "service-unavailable"), ("x@elsewhere.test", "remote-server-not-found"),
        ] {
            let bounced = try stage.send("<message to='\(to)' type='chat' id='r2'><body>x</body></message>")
            #expect(bounced.first?.contains("type='error'") == true && bounced.first?.contains(reason) == true)
        }
        #expect(try stage.send("<message to='a@@b'><body>x</body></message>").first?.contains("jid-malformed") == true)
    }

    @Test("a larger stanza than is allowed ends the stream, one of the limit does not")
    func limit() throws {
        let message = "<message to='\(ModelStage.alice)'><body>12345</body></message>"
        for (limit, ends) in [(message.utf8.count, false), (message.utf8.count - 1, true)] {
            var stage = ModelStage { $0.limits = SimulatedServerOptions.Limits(bytes: limit, idle: .seconds(30)) }
            stage.server.add(try JID(ModelStage.alice))
            try stage.authenticate()
            try stage.bind(2, resource: "x")
            let effects = try stage.send(message, on: 2)
            #expect(effects.contains { $0.contains("policy-violation") } == ends)
        }
    }

    @Test("limits are among the features, and silence ends the connection")
    func idle() throws {
        var stage = ModelStage { $0.limits = SimulatedServerOptions.Limits(bytes: 10_000, idle: .seconds(30)) }
        stage.server.connected(1, at: stage.moment)
        let features = try stage.open().last ?? ""
        #expect(
            features.contains(
                "<limits xmlns='urn:xmpp:stream-limits:0'><max-bytes>10000</max-bytes><idle-seconds>30</idle-seconds></limits>"
            ))
        #expect(stage.pass(.seconds(29)) == [])
        #expect(stage.server.nextDeadline == .milliseconds(stage.time + 1_000))
        #expect(stage.pass(.seconds(1)) == ["1 drop"])
    }

    @Test("the same resource again ends the first, and what that one had not acknowledged goes to the second")
    func sameResource() throws {
        var stage = ModelStage()
        try stage.login()
        try stage.say("one", id: "m1")
        try stage.bind(2)
        #expect(stage.server.offlineIDs(of: ModelStage.account) == ["m1"])
        #expect(ModelStage.messages(try stage.send("<presence/>", on: 2), on: 2) == ["m1"])
        #expect(stage.server.counts.kicked == 1)
    }

    // MARK: requests

    @Test("questions have their answers, and unknown ones a refusal")
    func questions() throws {
        var stage = ModelStage()
        try stage.login(managed: false)
        let table = [
            ("get", "bots.example.test", "<ping xmlns='urn:xmpp:ping'/>", "type='result'"),
            ("get", ModelStage.account, "<ping xmlns='urn:xmpp:ping'/>", "type='result'"),
            ("get", "bots.example.test", "<time xmlns='urn:xmpp:time'/>", "<utc>1970-01-01T00:16:40.000Z</utc>"),
            (
                "get", "bots.example.test", "<query xmlns='http://jabber.org/protocol/disco#info'/>",
                "urn:xmpp:carbons:2"
            ),
            ("get", ModelStage.account, "<query xmlns='http://jabber.org/protocol/disco#info'/>", "urn:xmpp:mam:2"),
            ("get", "bots.example.test", "<vCard xmlns='vcard-temp'/>", "service-unavailable"),
            ("get", "elsewhere.test", "<ping xmlns='urn:xmpp:ping'/>", "remote-server-not-found"),
            ("get", "nobody@bots.example.test/x", "<ping xmlns='urn:xmpp:ping'/>", "service-unavailable"),
            ("set", "bots.example.test", "", "bad-request"),
        ]
        for (type, to, payload, answer) in table {
            let effects = try stage.send("<iq type='\(type)' id='q' to='\(to)'>\(payload)</iq>")
            #expect(effects.count == 1 && effects[0].contains(answer), "\(to) \(payload): \(effects)")
            #expect(effects[0].contains("id='q'") && effects[0].contains("from='\(to)'"))
        }
        #expect(try stage.send("<iq type='result' id='whatever'/>") == [])
    }

    @Test("a request waits for an answer, is repeated at the next login, and lets the person see what they may")
    func subscriptions() throws {
        var stage = ModelStage()
        let request = try Element.parse("<presence xmlns='jabber:client' type='subscribe' to='\(ModelStage.account)'/>")
        stage.server.send(request, from: try JID(ModelStage.alice), at: stage.moment)
        try stage.bind()
        try stage.send("<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>")
        let online = try stage.send("<presence/>")
        #expect(online.contains("1 <presence type='subscribe' from='\(ModelStage.alice)' to='\(ModelStage.account)'/>"))
        let granted = try stage.send("<presence type='subscribed' to='\(ModelStage.alice)'/>")
        #expect(granted.first?.contains("subscription='from'") == true)
        let seen = stage.server.people[ModelStage.alice]?.seen ?? []
        #expect(seen.map { $0["type"] } == ["subscribed", nil])
        try stage.send("<presence type='subscribe' to='\(ModelStage.alice)'/>")
        #expect(stage.server.roster(of: ModelStage.account).first?["subscription"] == "both")
        stage.server.show(try JID(ModelStage.alice), isOnline: false, at: stage.moment)
        #expect(stage.effects().first?.contains("type='unavailable'") == true)
        let removed = try stage.send(
            "<iq type='set' id='x'><query xmlns='jabber:iq:roster'><item jid='\(ModelStage.alice)' subscription='remove'/></query></iq>"
        )
        #expect(removed.first?.contains("subscription='remove'") == true && removed.last?.contains("id='x'") == true)
        stage.lose()
        #expect(stage.server.roster(of: ModelStage.account) == [])
    }

    // MARK: the archive

    private func page(_ set: String, form: String = "", in stage: inout ModelStage) throws -> (
        ids: [String], fin: String
    ) {
        let x = form.isEmpty ? "" : "<x xmlns='jabber:x:data' type='submit'>\(form)</x>"
        let effects = try stage.send(
            "<iq type='set' id='q'><query xmlns='urn:xmpp:mam:2' queryid='k'>\(x)"
                + "<set xmlns='http://jabber.org/protocol/rsm'>\(set)</set></query></iq>")
        let bodies = effects.dropLast().map { $0.split(separator: "<body>").last?.prefix(1).description ?? "?" }
        return (bodies, effects.last ?? "")
    }

    @Test("pages go on behind the last one, and the last one says so")
    func pages() throws {
        var stage = ModelStage { $0.archive?.pageLimit = 3 }
        for number in 1...7 {
            stage.time += 1_000
            try stage.say("\(number)", id: "m\(number)")
        }
        try stage.login(managed: false)
        let ids = stage.server.archivedIDs(of: ModelStage.account).map(\.archiveID)
        var found: [String] = []
        var after = ""
        for _ in 0..<3 {
            let page = try page("<max>50</max>\(after)", in: &stage)
            #expect(page.ids.count <= 3)
            found += page.ids
            after = "<after>\(ids[found.count - 1])</after>"
            #expect(page.fin.contains("complete='true'") == (found.count == 7))
            #expect(page.fin.contains("<count>7</count>"))
        }
        #expect(found == ["1", "2", "3", "4", "5", "6", "7"])
        #expect(try page("<max>3</max>\(after)", in: &stage).ids == [])
        #expect(try page("<max>2</max><before/>", in: &stage).ids == ["6", "7"])
        #expect(try page("<max>2</max><before>\(ids[2])</before>", in: &stage).ids == ["1", "2"])
        #expect(try page("<max>0</max>", in: &stage).ids == [])
        #expect(try page("<max>-4</max>", in: &stage).ids == [])
        #expect(try page("<after>gone</after>", in: &stage).fin.contains("item-not-found"))
    }

    @Test("a query can be for one person and for a stretch of time")
    func filters() throws {
        var stage = ModelStage()
        stage.server.add(try JID("bob@elsewhere.test/pc"))
        for (body, person) in [("1", ModelStage.alice), ("2", "bob@elsewhere.test"), ("3", ModelStage.alice)] {
            stage.time += 1_000
            stage.server.say(body, from: try JID(person), to: try JID(ModelStage.account), at: stage.moment)
        }
        try stage.login(managed: false)
        stage.time += 1_000
        try stage.send("<message to='bob@elsewhere.test' type='chat' id='r'><body>4</body></message>")
        try stage.send("<message to='bob@elsewhere.test'><body>5</body><no-store xmlns='urn:xmpp:hints'/></message>")
        func field(_ name: String, _ value: String) -> String { "<field var='\(name)'><value>\(value)</value></field>" }
        let type = field("FORM_TYPE", "urn:xmpp:mam:2")
        #expect(try page("", form: type + field("with", "bob@elsewhere.test"), in: &stage).ids == ["2", "4"])
        #expect(try page("", form: type + field("with", "bob@elsewhere.test/pc"), in: &stage).ids == ["2"])
        #expect(try page("", form: type + field("start", "1970-01-01T00:16:42Z"), in: &stage).ids == ["2", "3", "4"])
        #expect(try page("", form: type + field("end", "1970-01-01T00:16:42Z"), in: &stage).ids == ["1", "2"])
        for wrong in [field("with", "@"), field("start", "yesterday"), field("what", "x")] {
            #expect(try page("", form: type + wrong, in: &stage).fin.contains("bad-request"))
        }
        var bare = ModelStage { $0.archive = nil }
        try bare.say("1", id: "m")
        try bare.login(managed: false)
        #expect(try page("", in: &bare).fin.contains("service-unavailable"))
    }

    // MARK: sameness

    @Test("the same inputs have the same effects, id for id, and another seed has other ids")
    func deterministic() throws {
        func play(_ seed: UInt64) throws -> [String] {
            var stage = ModelStage(seed: seed)
            try stage.login()
            var effects = try stage.say("one", id: "m1")
            effects += try stage.send("<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>")
            return effects
        }
        #expect(try play(7) == play(7))
        #expect(try play(7) != play(8))
    }

    @Test("a server that restarts knows no session, and loses no message")
    func restart() throws {
        var stage = ModelStage()
        let id = try #require(try stage.login())
        try stage.say("one", id: "m1")
        stage.server.restart(at: stage.moment)
        #expect(stage.effects() == ["1 drop"])
        try stage.authenticate(2)
        let effects = try stage.send("<resume xmlns='urn:xmpp:sm:3' h='1' previd='\(id)'/>", on: 2)
        #expect(effects.first?.contains("item-not-found") == true && effects.first?.contains(" h=") == false)
        #expect(stage.server.offlineIDs(of: ModelStage.account) == ["m1"])
    }
}
