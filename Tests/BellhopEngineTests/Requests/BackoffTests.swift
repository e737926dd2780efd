import BellhopEngine
import Testing

@Suite("Back-off")
struct BackoffTests {
    @Test("the ceiling doubles from 1 s to 300 s and stays there")
    func ceilings() {
        var backoff = Backoff()
        var ceilings: [Duration] = []
        for _ in 0..<200 {
            ceilings.append(backoff.ceiling)
            let wait = backoff.failed(.zero, random: .max)
            #expect(wait < ceilings[ceilings.count - 1])
            #expect(wait > ceilings[ceilings.count - 1] * 0.999)
        }
        #expect(ceilings.prefix(10) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map { .seconds($0) }[...])
        #expect(ceilings.dropFirst(9).allSatisfy { $0 == .seconds(300) })
    }

    @Test("the wait is a fraction of the ceiling, from none of it on")
    func fractions() {
        for (random, wait) in [
            (UInt64.min, Duration.zero), (1 << 63, .milliseconds(500)), (1 << 62, .milliseconds(250)),
        ] {
            var backoff = Backoff()
            #expect(backoff.failed(.zero, random: random) == wait)
        }
    }

    @Test("only a session that held for a minute begins it anew")
    func reset() {
        for (held, ceiling) in [(Duration.seconds(59), Duration.seconds(16)), (.seconds(60), .seconds(2))] {
            var backoff = Backoff()
            for _ in 0..<3 { _ = backoff.failed(.seconds(5), random: 0) }
            backoff.wentOnline(.seconds(10))
            _ = backoff.failed(.seconds(10) + held, random: 0)
            #expect(backoff.ceiling == ceiling)
            // The session counts once, however long ago it is by the next failure.
            _ = backoff.failed(.seconds(10_000), random: 0)
            #expect(backoff.ceiling == ceiling * 2)
        }
    }

    @Test("a thousand bots come back from a minute's outage with no more than 5 % of them in any second")
    func herd() {
        var random = SeededRandom(seed: 42)
        var returns: [Int64: Int] = [:]
        for _ in 0..<1000 {
            var backoff = Backoff()
            backoff.wentOnline(.zero)
            var now = Duration.seconds(100)
            while now < .seconds(160) { now += backoff.failed(now, random: random.next()) }
            returns[now.components.seconds, default: 0] += 1
        }
        #expect(returns.values.max() ?? 1000 <= 50)
    }
}
