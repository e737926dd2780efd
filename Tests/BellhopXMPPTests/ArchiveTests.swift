import BellhopXML
import BellhopXMPP
import Testing

@Suite("The words of an archive")
struct ArchiveTests {
    @Test("a question names its query, the form and the page (XEP-0313 section 4.1)")
    func question() throws {
        let start = try #require(Timestamp("2026-01-02T03:04:05Z"))
        let query = ArchiveQuery(
            id: "q1", peer: try JID("juliet@capulet.lit"), start: start, page: .after("09af3-cc343-b409f"), size: 10)
        let expected = try stanza(
            """
            <query xmlns='urn:xmpp:mam:2' queryid='q1'><x xmlns='jabber:x:data' type='submit'>\
            <field var='FORM_TYPE' type='hidden'><value>urn:xmpp:mam:2</value></field>\
            <field var='with'><value>juliet@capulet.lit</value></field>\
            <field var='start'><value>2026-01-02T03:04:05.000Z</value></field></x>\
            <set xmlns='http://jabber.org/protocol/rsm'><max>10</max><after>09af3-cc343-b409f</after></set></query>
            """)
        #expect(query.element == expected)
    }

    @Test("the newest message is asked for with an empty place to stop before (XEP-0059 section 2.5)")
    func newest() {
        let set = ArchiveQuery(id: "q", page: .last, size: 1).element.child("set", Namespace.resultSets)
        #expect(set?.children.map(\.name) == ["max", "before"])
        #expect(set?.child("before", Namespace.resultSets)?.nodes == [])
        #expect(
            ArchiveQuery(id: "q", page: .first, size: 5).element.child("set", Namespace.resultSets)?.children.count == 1
        )
    }

    private static let message = "<message xmlns='jabber:client' from='a@b.test/c' type='chat'><body>x</body></message>"

    private static func found(_ attributes: String, delay: String = "", _ message: String = message) -> String {
        """
        <message><result xmlns='urn:xmpp:mam:2' \(attributes)><forwarded xmlns='urn:xmpp:forward:0'>\(delay)\(message)\
        </forwarded></result></message>
        """
    }

    @Test("a result has a query, an id, a time and a message (XEP-0313 section 4.2)")
    func wholeResult() throws {
        let delay = "<delay xmlns='urn:xmpp:delay' stamp='2026-01-01T10:00:00Z'/>"
        let result = try #require(ArchivedMessage(try stanza(Self.found("queryid='q1' id='28482'", delay: delay))))
        #expect(result.queryID == "q1")
        #expect(result.id == "28482")
        #expect(result.filedAt == Timestamp("2026-01-01T10:00:00Z"))
        #expect(result.message["from"] == "a@b.test/c")
    }

    @Test(
        "what lacks one of them is none",
        arguments: [
            found("id='1'"), found("queryid='q'"), found("queryid='' id='1'"), found("queryid='q' id=''"),
            found("queryid='q' id='1'", "<presence xmlns='jabber:client'/>"), found("queryid='q' id='1'", ""),
            "<message><result xmlns='urn:xmpp:mam:2' queryid='q' id='1'>\(message)</result></message>",
            "<message><result xmlns='urn:xmpp:mam:1' queryid='q' id='1'/></message>", "<message/>",
        ])
    func noResult(xml: String) throws {
        #expect(ArchivedMessage(try stanza(xml)) == nil)
    }

    @Test(
        "the end of a page says whether there is more, and where to go on (XEP-0313 section 4.3)",
        arguments: [
            ("<fin xmlns='urn:xmpp:mam:2'/>", ArchiveFin(last: nil)),
            (
                """
                <fin xmlns='urn:xmpp:mam:2' complete='true'><set xmlns='http://jabber.org/protocol/rsm'><first index='0'>\
                a</first><last>b</last><count>20</count></set></fin>
                """, ArchiveFin(isComplete: true, last: "b")
            ),
            (
                "<fin xmlns='urn:xmpp:mam:2' complete='1' stable='false'><set xmlns='http://jabber.org/protocol/rsm'/></fin>",
                ArchiveFin(isComplete: true, isStable: false, last: nil)
            ),
            (
                """
                <fin xmlns='urn:xmpp:mam:2' complete='TRUE' stable='no'><set xmlns='http://jabber.org/protocol/rsm'>\
                <last/></set></fin>
                """, ArchiveFin(last: nil)
            ),
            ("<fin xmlns='urn:xmpp:mam:2'><set xmlns='urn:x'><last>b</last></set></fin>", ArchiveFin(last: nil)),
        ])
    func endOfPage(xml: String, expected: ArchiveFin) throws {
        #expect(ArchiveFin(try stanza(xml)) == expected)
    }

    @Test("something else is no end of a page")
    func noFin() throws {
        #expect(ArchiveFin(try stanza("<fin xmlns='urn:xmpp:mam:1'/>")) == nil)
        #expect(ArchiveFin(try stanza("<query xmlns='urn:xmpp:mam:2'/>")) == nil)
    }

    @Test("features are read by their names")
    func features() throws {
        let info = try stanza(
            """
            <query xmlns='http://jabber.org/protocol/disco#info'><identity category='account' type='registered'/>\
            <feature var='urn:xmpp:mam:2'/><feature/><feature xmlns='urn:x' var='urn:y'/></query>
            """)
        #expect(ServiceInfo(info)?.features == ["urn:xmpp:mam:2"])
        #expect(ServiceInfo(try stanza("<query xmlns='jabber:iq:roster'/>")) == nil)
    }
}

@Suite("Messages out of the archive")
struct ArchivedMessageReadingTests {
    typealias Obstacle = IncomingMessage.Obstacle

    /// It is 10:00, and two minutes are young enough.
    private func read(
        _ attributes: String, _ inside: String = "<body>!ping</body>", filedAt: String? = "2026-01-01T09:59:00Z"
    ) throws -> IncomingMessage? {
        let message = try stanza("<message \(attributes)>\(inside)</message>")
        let now = try #require(Timestamp("2026-01-01T10:00:00Z"))
        return IncomingMessage(
            archived: ArchivedMessage(
                queryID: "q", id: "a1", filedAt: filedAt.flatMap(Timestamp.init), message: message),
            reading: MessageReading(account: try JID("opsbot@bots.example.test"), now: now))
    }

    @Test("a fresh one may run; its id and its time are the archive's")
    func fresh() throws {
        let inside = "<body>!ping</body><stanza-id xmlns='urn:xmpp:sid:0' id='other' by='opsbot@bots.example.test'/>"
        let message = try #require(try read("from='alice@example.test/phone' type='chat' id='m1'", inside))
        #expect(message.obstacle == nil)
        #expect(message.archiveID == "a1")
        #expect(message.delay == Timestamp("2026-01-01T09:59:00Z"))
        #expect(message.id == "m1")
    }

    @Test(
        "an old one, and one of unknown age, is stale, without a body too",
        arguments: ["2026-01-01T09:57:59Z", "2001-01-01T00:00:00Z", nil])
    func stale(filedAt: String?) throws {
        for inside in ["<body>!ping</body>", "<x xmlns='urn:x'/>"] {
            #expect(try read("from='alice@example.test/phone'", inside, filedAt: filedAt)?.obstacle == .stale)
        }
    }

    @Test("the earlier of two times counts")
    func earlier() throws {
        let inside = """
            <body>!ping</body><delay xmlns='urn:xmpp:delay' from='bots.example.test' stamp='2026-01-01T08:00:00Z'/>
            """
        let message = try #require(try read("from='alice@example.test/phone'", inside))
        #expect(message.obstacle == .stale)
        #expect(message.delay == Timestamp("2026-01-01T08:00:00Z"))
    }

    @Test("what we wrote is ours, with a sender or without", arguments: ["from='opsbot@bots.example.test/x' ", ""])
    func own(from: String) throws {
        let message = try #require(try read(from + "to='alice@example.test/phone'"))
        #expect(message.obstacle == .own)
        #expect(message.sender?.bareText == "opsbot@bots.example.test")
    }

    @Test(
        "bounces, and messages inside of messages, are nothing to us",
        arguments: [
            ("from='alice@example.test/phone' type='error'", "<body>x</body>"),
            ("from='@@' type='chat'", "<body>x</body>"),
            (
                "from='opsbot@bots.example.test'",
                "<sent xmlns='urn:xmpp:carbons:2'>\(ObstacleTests.carbonInside)</sent>"
            ),
            (
                "from='opsbot@bots.example.test'",
                "<result xmlns='urn:xmpp:mam:2' queryid='q' id='1'>\(ObstacleTests.archived)</result>"
            ),
        ])
    func nothing(attributes: String, inside: String) throws {
        #expect(try read(attributes, inside) == nil)
    }
}
