import BellhopEngine
import Testing

@Suite("Back-off")
struct BackoffTests {
    @Test(
        "the window doubles from where it begins and stays at its longest, and no wait ends outside its own",
        arguments: [
            (Backoff.Cause.line, [1, 2, 4, 8, 16, 32, 64, 128, 150, 150]), (.server, [40, 80, 150, 150]),
        ])
    func windows(cause: Backoff.Cause, seconds: [Int]) {
        for random in [UInt64.min, 1 << 63, .max] {
            var backoff = Backoff()
            var now = Duration.seconds(10)
            var end = now
            for length in seconds {
                let wait = backoff.failed(now, cause, random: random)
                #expect(now + wait >= end)
                end += .seconds(length)
                now += wait
                #expect(now < end)
                #expect(wait <= .seconds(300))
            }
        }
    }

    @Test("an attempt that lasts longer than its window begins the next one when it is over")
    func slowAttempts() {
        var backoff = Backoff()
        var now = Duration.zero
        for ceiling in [1, 2, 4, 8] {
            let wait = backoff.failed(now, .line, random: .max)
            #expect(wait < .seconds(ceiling) && wait > .seconds(ceiling) * 0.999)
            now += wait + .seconds(30)
        }
    }

    @Test("after a mere cut the first attempt comes within a second, and where the spread is 0 s after all else, too")
    func cut() {
        for (spread, cause) in [(Duration.seconds(40), Backoff.Cause.line), (.zero, .server), (.seconds(1), .server)] {
            var backoff = Backoff(spread: spread)
            backoff.wentOnline(.zero)
            #expect(backoff.failed(.seconds(3_600), cause, random: .max) < .seconds(1))
            #expect(backoff.window == .seconds(2))
        }
    }

    @Test("only a session that held for a minute begins it anew")
    func reset() {
        for (held, window) in [(Duration.seconds(59), Duration.seconds(16)), (.seconds(60), .seconds(2))] {
            var backoff = Backoff()
            for _ in 0..<3 { _ = backoff.failed(.seconds(5), .line, random: 0) }
            backoff.wentOnline(.seconds(20))
            _ = backoff.failed(.seconds(20) + held, .line, random: 0)
            #expect(backoff.window == window)
            // The session counts once, however long ago it is by the next failure.
            _ = backoff.failed(.seconds(10_000), .line, random: 0)
            #expect(backoff.window == window * 2)
        }
    }

    @Test("after a session that held, a server that was away is forgotten, and a cut is a cut again")
    func forgotten() {
        var backoff = Backoff()
        for _ in 0..<3 { _ = backoff.failed(.zero, .server, random: 0) }
        backoff.wentOnline(.seconds(100))
        #expect(backoff.failed(.seconds(160), .line, random: .max) < .seconds(1))
    }

    @Test("a server that is away for ten minutes is tried fewer than thirty times, and found again within one window")
    func attempts() {
        var random = SeededRandom(seed: 7)
        for cause in [Backoff.Cause.line, .server] {
            for _ in 0..<200 {
                var backoff = Backoff()
                var now = Duration.zero
                var count = 0
                var last = Duration.zero
                while now < .seconds(600) {
                    last = backoff.failed(now, cause, random: random.next())
                    now += last
                    count += 1
                }
                #expect(count < 30)
                #expect(now - .seconds(600) <= .seconds(300))
            }
        }
    }

    /// How a thousand bots lose their server.
    enum Loss: Sendable, CaseIterable {
        /// It says goodbye.
        case shutdown
        /// Its lines break without a word, and nobody listens any more.
        case crash
    }

    @Test(
        "a thousand bots come back to a restarted server with no more than 5 % of them in any second",
        arguments: Loss.allCases, [2, 5, 20, 120])
    func herd(loss: Loss, seconds: Int) {
        for seed in UInt64(1)...10 {
            var random = SeededRandom(seed: seed)
            let back = Duration.seconds(seconds)
            var returns: [Int64: Int] = [:]
            var total = 0
            for _ in 0..<1_000 {
                var backoff = Backoff()
                backoff.wentOnline(.seconds(-3_600))
                var now = backoff.failed(.zero, loss == .crash ? .line : .server, random: random.next())
                // Whoever comes too early is refused.
                while now < back { now += backoff.failed(now, .server, random: random.next()) }
                returns[now.components.seconds, default: 0] += 1
                total += 1
                #expect(now - back <= .seconds(300))
            }
            #expect(total == 1_000)
            let most = returns.values.max() ?? 0
            #expect(most <= 50, "\(most) in one second, seed \(seed)")
        }
    }

    @Test("the herd test can fail: without the spread a thousand bots crowd into a second")
    func crowd() {
        var random = SeededRandom(seed: 1)
        var returns: [Int64: Int] = [:]
        for _ in 0..<1_000 {
            var backoff = Backoff(spread: .zero)
            var now = Duration.zero
            repeat { now += backoff.failed(now, .server, random: random.next()) } while now < .seconds(2)
            returns[now.components.seconds, default: 0] += 1
        }
        #expect(returns.values.max() ?? 0 > 50)
    }
}
