import BellhopClient
import BellhopTestServer
import Foundation
import Testing

@testable import Bellhop
@testable import BellhopTesting

/// What the soak has found, each by itself.
@Suite("In virtual time")
struct FoundBySoakTests {
    private func live(_ begin: @escaping @Sendable (Soak) -> Void) async throws -> SoakReport {
        try await Soak.inFolder { try Soak(seed: 1, folder: $0, hour: .seconds(120)).run(begin) }
    }

    @Test("a stop that waits for a handler in vain waits, and does not go round and round")
    func stopInVain() async throws {
        let report = try await live { soak in
            soak.say("deploy 250 t0", from: "person0@example.test")
            soak.world.after(.seconds(5)) { soak.resident?.loop.handle.stop() }
            // Nothing that was said is acknowledged, so the goodbye waits as well.
            soak.world.after(.seconds(6)) {
                soak.world.network.host { $0.inflict(.stall(.seconds(60)), at: soak.world.moment) }
            }
            soak.world.after(.seconds(7)) { soak.say("echo t1", from: "person0@example.test") }
        }
        #expect(report.breaches.isEmpty)
        #expect(report.turns < 200)
    }

    @Test("a kill while the journal is locked loses nothing that was acknowledged, by a resumption either")
    func killedWhileLocked() async throws {
        let report = try await live { soak in
            soak.saysWhatAKillMayDo = true
            soak.say("echo t0", from: "person0@example.test")
            soak.world.after(.seconds(5)) { soak.lockJournal(for: .seconds(60)) }
            for number in 1...60 {
                soak.world.after(.milliseconds(6_000 + 200 * number)) {
                    soak.say("echo t\(number)", from: "person0@example.test")
                }
            }
            soak.world.after(.seconds(10)) { soak.world.network.host { $0.inflict(.cut, at: soak.world.moment) } }
            soak.world.after(.seconds(30)) {
                soak.unlockJournal()
                soak.fate.strike(.beforeCommit)
                soak.resident?.loop.handle.post(MortalHouse.QuietQuestion(number: 0))
            }
        }
        #expect(report.breaches.isEmpty)
        #expect(report.resumptions >= 1 && report.lives == 2)
    }

    @Test(
        "an answer that arrived is not sent again, though the bot's clock was set meanwhile",
        arguments: [-7_200, 7_200])
    func clockSet(seconds: Int) async throws {
        let report = try await live { soak in
            soak.world.clockError = .seconds(seconds)
            soak.say("echo t0", from: "person0@example.test")
            // The server has the answer, and its word of that does not reach the bot.
            soak.world.after(.milliseconds(5_000)) { soak.say("echo t1", from: "person0@example.test") }
            soak.world.after(.milliseconds(5_050)) { soak.expire(remembering: false) }
            soak.world.after(.milliseconds(5_060)) { soak.world.clockError = .zero }
        }
        #expect(report.breaches.isEmpty)
        #expect(report.failedResumptions >= 1)
        // The third is what the admin's "resume" is answered with at the end.
        #expect(report.answers == 3 && report.repeatedAnswers == 0)
    }

    @Test(
        "a process that is killed while it looks for what arrived leaves that to the next, on a stream that goes on as well"
    )
    func killedWhileSettling() async throws {
        let report = try await live { soak in
            soak.say("echo t0", from: "person0@example.test")
            soak.world.after(.milliseconds(5_000)) { soak.say("echo t1", from: "person0@example.test") }
            soak.world.after(.milliseconds(5_050)) { soak.expire(remembering: false) }
            // Its new session has begun, and its question is not answered.
            func dieOnceOnline() {
                guard let resident = soak.resident, resident.loop.isOnline, !resident.house.chat.settling.isOver else {
                    return soak.world.after(.milliseconds(5), dieOnceOnline)
                }
                soak.fate.strike(.beforeSending)
                resident.loop.handle.post(MortalHouse.QuietQuestion(number: 0))
            }
            soak.world.after(.milliseconds(5_100), dieOnceOnline)
        }
        #expect(report.breaches.isEmpty)
        #expect(report.lives == 2 && report.resumptions == 1 && report.repeatedAnswers == 0)
    }

    @Test("one seed is one story")
    func repeatable() async throws {
        let stories = try await Soak.inFolder { folder in
            try ["first", "second"].map { name in
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
                let soak = Soak(seed: 11, folder: "\(folder)/\(name)", hour: .seconds(600))
                return try "\(soak.run()) \(soak.faults)"
            }
        }
        #expect(stories[0] == stories[1])
    }

    @Test("a journal that is locked for a moment is waited for")
    func locked() async throws {
        let report = try await live { soak in
            soak.say("echo t0", from: "person0@example.test")
            soak.world.after(.seconds(5)) {
                soak.lockJournal(for: .milliseconds(200))
                soak.say("echo t1", from: "person0@example.test")
            }
            soak.world.after(.milliseconds(4_900)) { soak.say("echo t2", from: "person1@example.test") }
        }
        #expect(report.breaches.isEmpty)
        #expect(report.turns < 200)
    }
}
