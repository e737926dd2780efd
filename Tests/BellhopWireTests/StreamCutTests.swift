import BellhopJournal
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Resumptions that are cut", .timeLimit(.minutes(3)))
struct StreamCutTests: StreamStage {
    /// Where the line goes, counted in what the server says.
    enum Place: CaseIterable {
        case beforeLogin, behindLogin, behindResume, insideResumed, withResumed, whileSendingAgain, behindSendingAgain
    }

    @Test("wherever a resumption is cut, the next one goes on, and every answer comes once", arguments: Place.allCases)
    func places(place: Place) async throws {
        try await running { server, bot in
            let first = try await server.connection()
            let wire = try await begin(first)
            var ids: [String?] = []
            for name in ["one", "two", "three"] {
                first.send(says("!echo \(name)", id: name))
                ids.append(try await wire.expect(body: name)["id"])
            }
            first.drop()
            let arrived = try await cut(at: place, server)
            let (resume, last) = try await resumed(at: server, handled: arrived)
            // A server that asks for an answer is counted, too.
            #expect(resume["previd"] == "s1" && resume["h"] == (place == .behindSendingAgain ? "4" : "3"))
            last.connection.send(says("!echo four", id: "four"))
            try await last.expect(body: "four")
            try await last.settle(bot)
            // Two of our stanzas in front of the answers.
            #expect(last.messages.compactMap(\.body) == Array(["one", "two", "three", "four"].dropFirst(arrived - 4)))
            #expect(last.messages.dropLast().map { $0["id"] } == Array(ids.dropFirst(arrived - 4)))
            #expect(bot.standard.runs.list.count == 4)
        }
    }

    /// One connection that is lost there; how many of our stanzas the server has handled at the end.
    private func cut(at place: Place, _ server: TestServer) async throws -> Int {
        let connection = try await server.connection()
        switch place {
        case .beforeLogin:
            connection.drop()
            return 5
        case .behindLogin:
            try await connection.authenticate(offering: TestConnection.offersStreams)
            connection.drop()
            return 5
        case .behindResume, .insideResumed, .withResumed, .whileSendingAgain, .behindSendingAgain: break
        }
        _ = try await connection.expectResumption()
        switch place {
        case .beforeLogin, .behindLogin, .behindResume:
            connection.drop()
            return 5
        case .insideResumed:
            connection.send("<resumed xmlns='\(Self.sm)' h='5' prev")
            try await connection.handedOver()
            connection.drop()
            return 5
        case .withResumed:
            connection.resumeStream(handled: 5)
            connection.close()
            return 5
        case .whileSendingAgain:
            connection.resumeStream(handled: 5)
            let wire = Wire(connection)
            try await wire.expect(body: "two")
            connection.drop()
            // The first of the two arrived.
            return 6
        case .behindSendingAgain:
            connection.resumeStream(handled: 5)
            let wire = Wire(connection)
            try await wire.expect(body: "three")
            connection.acknowledge(6)
            try await wire.settle()
            connection.drop()
            return 7
        }
    }

    @Test("a killed process whose resumption is cut, too, leaves to the next one what it had to send")
    func killedWhileResuming() async throws {
        try await runs { server, configuration in
            var ids: [String?] = []
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let wire = try await begin(first)
                for name in ["one", "two", "three"] {
                    first.send(says("!echo \(name)", id: name))
                    ids.append(try await wire.expect(body: name)["id"])
                }
                try await wire.settle(bot)
                first.stall()
                try await cutOff(bot)
                first.drop()
            }
            try await BotUnderTest.running(configuration) { bot in
                let (_, wire) = try await resumed(at: server, handled: 5)
                // What is written again is in the journal first: now the server has all, and says so to nobody.
                try await wire.expect(body: "three")
                wire.connection.stall()
                try await cutOff(bot)
                wire.connection.drop()
            }
            try await BotUnderTest.running(configuration) { bot in
                let (_, wire) = try await resumed(at: server, handled: 6)
                #expect(try await wire.expect(body: "three")["id"] == ids[2])
                try await wire.settle(bot)
                #expect(wire.messages.count == 1)
                #expect(bot.standard.runs.list == [])
            }
        }
    }

    @Test("a bot that is stopped waits for the acknowledgement of its answers, and the next run says nothing twice")
    func stopped() async throws {
        try await runs { server, configuration in
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let wire = try await begin(first)
                first.send(says("!echo one", id: "a"))
                try await wire.expect(body: "one")
                bot.stop()
                // Asked at once, though the time for it has not come.
                _ = try await first.expect("r", Self.sm)
                let early = wire.unasked
                #expect(early == [])
                first.acknowledge(5)
                try await wire.expect("goodbye") { $0["type"] == "unavailable" }
                try await wire.answerGoodbye()
                #expect(try await bot.ending() == .success)
            }
            try await BotUnderTest.running(configuration) { bot in
                let second = try await server.connection()
                let wire = try await begin(second, id: "s2")
                try await wire.settle(bot)
                #expect(wire.messages == [])
                #expect(try fates(bot) == [.acknowledged])
            }
        }
    }

    @Test("a server that does not acknowledge keeps nobody from stopping; the next run says it again under its id")
    func stoppedUnanswered() async throws {
        try await runs { server, configuration in
            var id: String?
            try await BotUnderTest.running(configuration) { bot in
                let first = try await server.connection()
                let wire = try await begin(first)
                first.send(says("!echo one", id: "a"))
                id = try await wire.expect(body: "one")["id"]
                bot.stop()
                try await wire.answerGoodbye()
                #expect(try await bot.ending() == .success)
            }
            try await BotUnderTest.running(configuration) { bot in
                // A stream that was ended properly is not resumed.
                let second = try await server.connection()
                let wire = try await begin(second, id: "s2")
                #expect(try await wire.expect(body: "one")["id"] == id)
                try await wire.settle(bot)
                #expect(wire.messages.count == 1 && bot.standard.runs.list == [])
            }
        }
    }
}
