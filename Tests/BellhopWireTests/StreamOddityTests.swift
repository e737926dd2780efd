import BellhopJournal
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Servers that acknowledge oddly", .timeLimit(.minutes(3)))
struct StreamOddityTests: StreamStage {
    /// How many stanzas a stream holds before messages wait.
    private static let limit = 5_000

    private func enabled(_ id: String) -> String { "<enabled xmlns='\(Self.sm)' id='\(id)' resume='true'/>" }

    /// A session whose `<enable/>` is out and not answered.
    private func asking(_ server: TestServer) async throws -> TestConnection {
        let connection = try await server.connection()
        _ = try await connection.login(
            as: BotConfiguration.account, roster: OnlineBot.contacts, features: TestConnection.offersStreams)
        _ = try await connection.expect("enable", Self.sm)
        return connection
    }

    @Test("what comes before <enabled/> is not counted, and a question right behind it is answered")
    func order() async throws {
        try await running { server, bot in
            let connection = try await asking(server)
            let wire = Wire(connection)
            connection.send(says("!echo early", id: "a"))
            connection.send("<r xmlns='\(Self.sm)'/><a xmlns='\(Self.sm)' h='1'/>")
            try await wire.expect(body: "early")
            #expect(!connection.unread.contains { $0.hasPrefix("<a ") })
            connection.send(enabled("s1") + "<r xmlns='\(Self.sm)'/>" + says("!echo late", id: "b"))
            // The question is as old as the stream, but the answer leaves with the turn: it may count the message, too.
            let count = try await connection.expect("a", Self.sm)["h"]
            #expect(count == "0" || count == "1")
            try await wire.expect(body: "late")
            #expect(try await connection.askForCount() == "1")
            #expect(bot.standard.runs.list.map(\.arguments) == ["early", "late"])
        }
    }

    @Test("words at the wrong moment change nothing: the stream has its first name, and counts on")
    func wrongMoment() async throws {
        try await running { server, bot in
            let first = try await server.connection()
            let wire = try await begin(first)
            first.send(says("!echo one", id: "a"))
            try await wire.expect(body: "one")
            first.send(enabled("other"))
            first.send("<resumed xmlns='\(Self.sm)' h='0' previd='other'/>")
            first.send("<failed xmlns='\(Self.sm)' h='0'/>")
            first.send("<resume xmlns='\(Self.sm)' h='0' previd='other'/><enable xmlns='\(Self.sm)'/>")
            first.send("<nonsense xmlns='\(Self.sm)' h='x'/>")
            first.send(says("!echo two", id: "b"))
            try await wire.expect(body: "two")
            #expect(try await first.askForCount() == "2")
            first.drop()
            let (resume, second) = try await resumed(at: server, handled: 6)
            #expect(resume["previd"] == "s1" && resume["h"] == "2")
            try await second.settle(bot)
            #expect(second.messages == [])
        }
    }

    @Test(
        "a count at a resumption that cannot be ends it with an error, and a new session sends what is not known to have arrived",
        arguments: [("99", ["two", "three"]), ("2", ["two", "three"]), ("4294967295", ["two", "three"])])
    func liesAtResumption(count: String, again: [String]) async throws {
        try await running { server, bot in
            let first = try await server.connection()
            let wire = try await begin(first)
            var ids: [String?] = []
            for name in ["one", "two", "three"] {
                first.send(says("!echo \(name)", id: name))
                ids.append(try await wire.expect(body: name)["id"])
            }
            first.acknowledge(5)
            try await wire.settle()
            first.drop()
            let second = try await server.connection()
            _ = try await second.expectResumption()
            second.send("<resumed xmlns='\(Self.sm)' h='\(count)' previd='s1'/>")
            _ = try await second.expect("error", "http://etherx.jabber.org/streams")
            let third = try await server.connection()
            let fresh = try await begin(third, id: "s2")
            for name in again { try await fresh.expect(body: name) }
            try await fresh.settle(bot)
            #expect(fresh.messages.map { $0["id"] } == Array(ids.dropFirst()))
            #expect(bot.standard.runs.list.count == 3)
        }
    }

    @Test(
        "a server that counts more than an earlier process put down is not believed: what it had to send is sent again")
    func inheritedCount() async throws {
        try await runs { server, configuration in
            var id: String?
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let wire = try await begin(first)
                first.send(says("!echo one", id: "a"))
                id = try await wire.expect(body: "one")["id"]
                first.stall()
                try await cutOff(bot)
                first.drop()
            }
            try await BotUnderTest.running(configuration) { bot in
                let (_, wire) = try await resumed(at: server, handled: 52)
                _ = try await wire.connection.expect("error", "http://etherx.jabber.org/streams")
                let fresh = try await begin(try await server.connection(), id: "s2")
                #expect(try await fresh.expect(body: "one")["id"] == id)
                try await fresh.settle(bot)
                #expect(fresh.messages.count == 1)
            }
        }
    }

    @Test("a stream is resumed where the server would like it, and where nobody is there, in the usual place")
    func location() async throws {
        let identity = try TestIdentity.shared.get()
        for isThere in [true, false] {
            try await TestServer.running(TestServerOptions(tls: identity.server)) { other in
                if !isThere { try await other.stopListening() }
                try await running { server, bot in
                    let first = try await server.connection()
                    let more = "resume='true' location='127.0.0.1:\(other.port)'"
                    let wire = try await begin(first, more: more)
                    first.send(says("!echo one", id: "a"))
                    try await wire.expect(body: "one")
                    first.drop()
                    let (resume, resumed) = try await resumed(at: isThere ? other : server, handled: 4)
                    #expect(resume["previd"] == "s1")
                    try await resumed.expect(body: "one")
                    // It is said for one break: the next one begins there again.
                    resumed.connection.drop()
                    let (_, last) = try await self.resumed(at: isThere ? other : server, handled: 5)
                    try await last.settle(bot)
                    #expect(last.messages == [])
                    #expect(server.connectionCount == (isThere ? 1 : 3))
                }
            }
        }
    }

    @Test("a session that was not announced when the line was cut is not resumed")
    func unannounced() async throws {
        try await running { server, bot in
            let first = try await server.connection()
            try await first.authenticate(offering: TestConnection.offersStreams)
            _ = try await first.bind(BotConfiguration.account)
            try await first.enableStream()
            // The roster's request has no answer yet.
            try await first.handedOver()
            first.send("<r xmlns='\(Self.sm)'/>")
            _ = try await first.expect("a", Self.sm)
            first.drop()
            let second = try await server.connection()
            let wire = try await begin(second, id: "s2")
            second.send(says("!echo one", id: "a"))
            try await wire.expect(body: "one")
            #expect(bot.standard.runs.list.count == 1)
        }
    }

    @Test(
        "a server that never acknowledges gets what the stream holds, is read all the while, and nothing is lost or said twice"
    )
    func never() async throws {
        try await running(StandardBot(.inline)) { server, bot in
            let first = try await server.connection()
            let wire = try await begin(first)
            let said = Self.limit + 50
            for number in 1...said {
                // Many people, so that none of them says much.
                first.send(says("!echo \(number)", id: "m\(number)", from: "p\(number % 200)@example.test/x"))
            }
            first.send("<r xmlns='\(Self.sm)'/>")
            try await wire.expect("a count of all") { $0.name == "a" && $0["h"] == "\(said)" }
            try await wire.settle()
            // The roster's request and the presence are in it, too.
            #expect(wire.messages.count == Self.limit - 4)
            let rows = try bot.rows()
            #expect(rows.count == 2 * said)
            #expect(rows.filter { $0.direction == .outgoing }.allSatisfy { $0.state == .queued })
            // A cut now: half of it had arrived. The rest comes again, and what had no room comes behind it.
            first.drop()
            let (resume, second) = try await resumed(at: server, handled: Self.limit / 2)
            #expect(resume["h"] == "\(said + 1)")
            try await second.expect(body: "\(said)")
            try await second.settle(bot)
            let arrived = Self.limit / 2 - 4
            #expect(second.messages.compactMap(\.body) == ((arrived + 1)...said).map { "\($0)" })
            // Questions and their answers do not wait for a place; a stream with too many of them is given up.
            for number in 1...2 * Self.limit {
                second.connection.send("<iq type='get' id='q\(number)'><ping xmlns='urn:xmpp:ping'/></iq>")
            }
            _ = try await second.connection.expect("error", "http://etherx.jabber.org/streams")
            let third = try await server.connection()
            let fresh = try await begin(third, id: "s2")
            #expect(bot.sink.text.contains { $0.contains("the server acknowledged none of the last") })
            try await fresh.expect(body: "\(said)")
            try await fresh.settle(bot)
            #expect(fresh.messages.compactMap(\.body) == ((arrived + 1)...said).map { "\($0)" })
            #expect(Set(fresh.messages.map { $0["id"] }) == Set(second.messages.map { $0["id"] }))
        }
    }
}
