import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("Reading an archive")
struct ArchiveReadingTests {
    typealias Action = ArchiveReading.Action

    static let account = "bot@example.test"
    static let filed = Timestamp(milliseconds: 1_000_000)

    static func reading(
        _ start: ArchiveReading.Start = .after("a0", filedAt: filed), pageSize: Int = 2, limit: Int = 100
    ) -> ArchiveReading {
        ArchiveReading(start, pageSize: pageSize, limit: limit, idPrefix: "q")
    }

    static func result(_ id: String, _ queryID: String) -> ArchivedMessage {
        ArchivedMessage(
            queryID: queryID, id: id, filedAt: filed, message: Element("message", namespace: "jabber:client"))
    }

    static func fin(last: String?, complete: Bool = false, stable: Bool = true) -> IQReply {
        var set = Element("set", namespace: Namespace.resultSets)
        if let last { set = set.with(Element("last", namespace: Namespace.resultSets).with(text: last)) }
        return .result(
            Element("fin", namespace: Namespace.messageArchive).with("complete", complete ? "true" : nil)
                .with("stable", stable ? nil : "false").with(set))
    }

    private func query(_ number: Int, _ page: ArchiveQuery.Page, start: Timestamp? = nil, size: Int = 2) -> Action {
        .ask(ArchiveQuery(id: "q\(number)", start: start, page: page, size: size))
    }

    private func page(_ ids: [String], of queryID: String, cursor: String?) -> Action {
        .deliver(ArchiveReading.Page(messages: ids.map { Self.result($0, queryID) }, cursor: cursor))
    }

    private func take(_ ids: [String], _ queryID: String, _ reading: inout ArchiveReading) throws {
        let account = try JID(Self.account)
        for id in ids {
            let isTaken = reading.received(Self.result(id, queryID), from: account, account: account)
            #expect(isTaken)
        }
    }

    @Test("page follows page, behind the last message of each, until the archive is complete")
    func pages() throws {
        var reading = Self.reading()
        #expect(reading.began() == [query(1, .after("a0"))])
        #expect(reading.began() == [])
        try take(["a1", "a2"], "q1", &reading)
        #expect(
            reading.answered(Self.fin(last: "a2")) == [
                page(["a1", "a2"], of: "q1", cursor: "a2"), query(2, .after("a2")),
            ])
        try take(["a3"], "q2", &reading)
        #expect(
            reading.answered(Self.fin(last: "a3", complete: true)) == [
                page(["a3"], of: "q2", cursor: "a3"), .finish(.complete),
            ])
        #expect(reading.answered(Self.fin(last: "a4")) == [])
    }

    @Test("an empty page is the end, whether or not the server says so")
    func emptyPage() {
        for complete in [true, false] {
            var reading = Self.reading()
            _ = reading.began()
            #expect(
                reading.answered(Self.fin(last: nil, complete: complete)) == [
                    page([], of: "q1", cursor: nil), .finish(.complete),
                ])
        }
    }

    @Test("a place that the server has forgotten: the reading begins again, a minute before the time that is known")
    func forgottenPlace() throws {
        var reading = Self.reading()
        _ = reading.began()
        let start = Timestamp(milliseconds: 940_000)
        #expect(reading.answered(.error(StanzaError(.itemNotFound))) == [query(2, .first, start: start)])
        try take(["a1", "a2"], "q2", &reading)
        // The question stays the same, only the page is another.
        #expect(
            reading.answered(Self.fin(last: "a2")) == [
                page(["a1", "a2"], of: "q2", cursor: "a2"), query(3, .after("a2"), start: start),
            ])
        #expect(
            reading.answered(.error(StanzaError(.itemNotFound))) == [.finish(.refused(StanzaError(.itemNotFound)))])
    }

    @Test("other refusals, and a reading by time, are not begun again")
    func refused() throws {
        var reading = Self.reading()
        _ = reading.began()
        #expect(reading.answered(.error(StanzaError(.forbidden))) == [.finish(.refused(StanzaError(.forbidden)))])
        reading = Self.reading(.since(Self.filed))
        #expect(reading.began() == [query(1, .first, start: Self.filed)])
        #expect(
            reading.answered(.error(StanzaError(.itemNotFound))) == [.finish(.refused(StanzaError(.itemNotFound)))])
    }

    @Test("the newest message alone is one page of one")
    func newest() throws {
        var reading = Self.reading(.newest)
        #expect(reading.began() == [query(1, .last, size: 1)])
        try take(["a9"], "q1", &reading)
        #expect(
            reading.answered(Self.fin(last: "a9")) == [page(["a9"], of: "q1", cursor: "a9"), .finish(.complete)])
    }

    @Test("from an unstable page on nothing is a place to go on from later, and the reading goes on")
    func unstable() throws {
        var reading = Self.reading()
        _ = reading.began()
        try take(["a1"], "q1", &reading)
        #expect(
            reading.answered(Self.fin(last: "a1", stable: false)) == [
                page(["a1"], of: "q1", cursor: nil), query(2, .after("a1")),
            ])
        try take(["a2"], "q2", &reading)
        #expect(
            reading.answered(Self.fin(last: "a2", complete: true)) == [
                page(["a2"], of: "q2", cursor: nil), .finish(.complete),
            ])
    }

    @Test("results count only for the question that is open, and only from our own account")
    func strangers() throws {
        let account = try JID(Self.account)
        var reading = Self.reading()
        let early = reading.received(Self.result("a1", "q1"), from: nil, account: account)
        #expect(!early)
        _ = reading.began()
        for (sender, queryID, isTaken) in [
            (nil, "q1", true), (Self.account, "q1", true), (Self.account, "q2", false), (Self.account, "", false),
            ("bot@example.test/other", "q1", false), ("example.test", "q1", false),
            ("mallory@evil.example/x", "q1", false),
        ] {
            let sender = try sender.map { try JID($0) }
            let taken = reading.received(Self.result("x", queryID), from: sender, account: account)
            #expect(taken == isTaken, "\(sender?.description ?? "nobody") \(queryID)")
        }
        _ = reading.answered(Self.fin(last: "x"))
        // Too late for the first page, and taken for no other.
        let late = reading.received(Self.result("a1", "q1"), from: account, account: account)
        #expect(!late)
        _ = reading.answered(nil)
        let afterwards = reading.received(Self.result("a1", "q2"), from: account, account: account)
        #expect(!afterwards)
    }

    @Test(
        "pages that lead back, or in a circle, end the reading",
        arguments: [["a0"], ["a1", "a1"], ["a1", "a2", "a1"]])
    func circles(ends: [String]) throws {
        var reading = Self.reading()
        var actions = reading.began()
        for end in ends {
            #expect(actions.contains { if case .ask = $0 { true } else { false } })
            actions = reading.answered(Self.fin(last: end))
        }
        #expect(actions.last == .finish(.confused))
    }

    @Test("it ends at the limit, whatever the server says")
    func limit() throws {
        var reading = Self.reading(limit: 5)
        var actions = reading.began()
        var count = 0
        while case .ask(let query)? = actions.last {
            try take(["m\(count)", "m\(count + 1)"], query.id, &reading)
            count += 2
            actions = reading.answered(Self.fin(last: "m\(count)"))
        }
        #expect(actions.last == .finish(.limit))
        #expect(count == 6)
        // Pages without a message do not go on for ever either.
        reading = Self.reading(limit: 5)
        actions = reading.began()
        while case .ask = actions.last {
            count += 1
            actions = reading.answered(Self.fin(last: "m\(count)"))
        }
        #expect(actions.last == .finish(.limit))
    }

    @Test("a page with far more than was asked for is not kept")
    func flood() throws {
        var reading = Self.reading()
        _ = reading.began()
        try take((0..<9).map { "m\($0)" }, "q1", &reading)
        #expect(reading.answered(Self.fin(last: "m8")) == [.finish(.confused)])
    }

    @Test(
        "an answer that is no end of a page ends the reading",
        arguments: [
            IQReply.result(nil), .result(Element("query", namespace: Namespace.messageArchive)), fin(last: "a0"),
        ])
    func nonsense(reply: IQReply) {
        var reading = Self.reading()
        _ = reading.began()
        #expect(reading.answered(reply).last == .finish(.confused))
    }

    @Test("silence ends it, and it asks for one person only where that is wanted")
    func silence() throws {
        let peer = try JID("alice@example.test")
        var reading = ArchiveReading(.since(Self.filed), with: peer, idPrefix: "q")
        #expect(
            reading.began() == [
                .ask(ArchiveQuery(id: "q1", peer: peer, start: Self.filed, page: .first, size: 50))
            ])
        #expect(reading.answered(nil) == [.finish(.silence)])
        #expect(reading.began() == [])
    }

    @Test("no input, in any state, traps or asks for ever", arguments: 0..<64)
    func total(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let account = try JID(Self.account)
        let replies: [IQReply?] = [
            nil, .result(nil), .error(StanzaError(.itemNotFound)), .error(StanzaError(.resourceConstraint)),
            Self.fin(last: nil), Self.fin(last: "a1"), Self.fin(last: "a2", stable: false),
            Self.fin(last: "a3", complete: true), Self.fin(last: "a0"),
        ]
        let starts: [ArchiveReading.Start] = [
            .newest, .since(Timestamp(milliseconds: .min)), .after("a0", filedAt: Timestamp(milliseconds: .min)),
        ]
        for start in starts {
            var reading = Self.reading(start, limit: 8)
            var hasEnded = false
            for _ in 0..<200 {
                let actions: [Action]
                switch random.next() % 3 {
                case 0: actions = reading.began()
                case 1:
                    let id = "q\(random.next() % 12)"
                    _ = reading.received(Self.result("m", id), from: nil, account: account)
                    actions = []
                default: actions = reading.answered(replies[Int(random.next() % UInt64(replies.count))])
                }
                #expect(!hasEnded || actions.isEmpty)
                if case .finish? = actions.last { hasEnded = true }
            }
            #expect(hasEnded)
        }
    }
}
