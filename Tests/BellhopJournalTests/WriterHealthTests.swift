import BellhopSQLite
import Testing

@testable import BellhopJournal

@Suite("WriterHealth")
struct WriterHealthTests {
    private func error() throws -> DatabaseError {
        do throws(DatabaseError) {
            _ = try Connection("/nowhere/at/all", .read)
        } catch { return error }
        throw CancellationError()
    }

    @Test("every state meets every input")
    func all() throws {
        let error = try error()
        let now = Duration.seconds(10)
        let clear = WriterHealth()
        var waiting = clear
        #expect(waiting.failed(error, mayWait: true, now: now) == .wait)
        var holding = clear
        #expect(holding.failed(error, mayWait: false, now: now) == .announceHolding(error))
        #expect((clear.isClear, clear.retry, clear.since) == (true, nil, nil))
        #expect((waiting.isClear, waiting.isHolding, waiting.since) == (false, false, now))
        #expect((holding.isClear, holding.isHolding, holding.since) == (false, true, now))

        for (state, action) in [
            (clear, WriterHealth.Action.goOn), (waiting, .goOn), (holding, .announceRecovery(after: .seconds(1))),
        ] {
            var state = state
            #expect(state.committed(now: now + .seconds(1)) == action)
            #expect(state == clear)
        }
        for (state, mayWait, action) in [
            (waiting, true, WriterHealth.Action.wait), (waiting, false, .announceHolding(error)),
            (holding, true, .hold), (holding, false, .hold),
        ] {
            var state = state
            #expect(state.failed(error, mayWait: mayWait, now: now + .milliseconds(249)) == action)
        }
        var late = waiting
        #expect(late.failed(error, mayWait: true, now: now + .milliseconds(250)) == .announceHolding(error))
    }

    @Test("tries again soon at first, then more slowly, and at the latest when patience ends")
    func retries() throws {
        let error = try error()
        var health = WriterHealth()
        var now = Duration.zero
        var waits: [Duration] = []
        while case .wait = health.failed(error, mayWait: true, now: now) {
            let retry = try #require(health.retry)
            waits.append(retry - now)
            now = retry
        }
        #expect(Array(waits.prefix(6)) == [1, 2, 4, 8, 16, 32].map { Duration.milliseconds($0) })
        #expect(now == WriterHealth.patience)
        #expect(health.isHolding)
        #expect(health.retry == now + .seconds(1))
    }
}
