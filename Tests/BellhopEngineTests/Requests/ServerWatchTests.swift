import BellhopEngine
import Testing

@Suite("Watching whether the server is there")
struct ServerWatchTests {
    private static let silence: Duration = .seconds(60)
    private static let patience: Duration = .seconds(20)

    private func watch() -> ServerWatch {
        ServerWatch(silence: Self.silence, patience: Self.patience, now: .seconds(1_000))
    }

    @Test("a server that goes on talking is never asked")
    func talking() {
        var watch = watch()
        for second in 1_000..<5_000 {
            #expect(watch.timePassed(.seconds(second)) == nil)
            watch.received(.seconds(second))
            watch.sent(.seconds(second))
            #expect(watch.deadline == .seconds(second + 60))
            #expect(!watch.isAsking)
        }
    }

    @Test("a frozen server is asked after 60 seconds and given up after 80")
    func frozen() {
        var watch = watch()
        #expect(watch.timePassed(.seconds(1_059)) == nil)
        #expect(watch.timePassed(.seconds(1_060)) == .ask)
        #expect(watch.isAsking)
        #expect(watch.deadline == .seconds(1_080))
        #expect(watch.timePassed(.seconds(1_079)) == nil)
        #expect(watch.timePassed(.seconds(1_080)) == .giveUp)
    }

    @Test(
        "a server that goes on talking to one that says nothing is asked, too, so that it does not drop the silent one (C109)"
    )
    func onlyHeard() {
        var watch = watch()
        var asked: [Int] = []
        for second in 1_000..<1_400 {
            watch.received(.seconds(second))
            if watch.timePassed(.seconds(second)) == .ask {
                asked.append(second)
                watch.sent(.seconds(second))
            }
        }
        #expect(asked == [1_060, 1_120, 1_180, 1_240, 1_300, 1_360])
    }

    @Test(
        "where the server says after how long it drops the silent, it is asked before that, whatever the operator wants",
        arguments: [
            (.seconds(60), nil, .seconds(60)), (nil, nil, nil), (.seconds(60), 120, .seconds(60)),
            (.seconds(60), 40, .seconds(30)), (nil, 40, .seconds(30)), (.seconds(60), 1, .seconds(1)),
            (.seconds(60), 0, .seconds(60)), (nil, 0, nil), (.seconds(60), -5, .seconds(60)),
            (.seconds(60), Int.max, .seconds(60)),
        ] as [(Duration?, Int?, Duration?)])
    func limits(wish: Duration?, limit: Int?, silence: Duration?) {
        #expect(ServerWatch.silence(wish, serverDropsAfter: limit) == silence)
    }

    @Test("whatever comes behind the ping is an answer, and the silence begins anew")
    func answered() {
        var watch = watch()
        #expect(watch.timePassed(.seconds(1_060)) == .ask)
        watch.sent(.seconds(1_060))
        watch.received(.seconds(1_079))
        watch.sent(.seconds(1_079))
        #expect(!watch.isAsking)
        #expect(watch.deadline == .seconds(1_139))
        #expect(watch.timePassed(.seconds(1_080)) == nil)
        #expect(watch.timePassed(.seconds(1_139)) == .ask)
    }

    @Test("a process that was stopped asks before it gives up", arguments: [100, 3_600, 1_000_000])
    func stopped(gap: Int) {
        // Stopped while nothing was asked.
        var watch = watch()
        #expect(watch.timePassed(.seconds(1_060 + gap)) == .ask)
        #expect(watch.deadline == .seconds(1_080 + gap))

        // Stopped while the answer was on its way.
        watch = self.watch()
        #expect(watch.timePassed(.seconds(1_060)) == .ask)
        #expect(watch.timePassed(.seconds(1_080 + gap)) == .ask)
        #expect(watch.deadline == .seconds(1_100 + gap))
        #expect(watch.timePassed(.seconds(1_100 + gap)) == .giveUp)
    }

    @Test("a process that is always late still gives up: it asks once more, not for ever")
    func alwaysLate() {
        var watch = watch()
        #expect(watch.timePassed(.seconds(1_200)) == .ask)
        #expect(watch.timePassed(.seconds(1_400)) == .ask)
        #expect(watch.timePassed(.seconds(1_600)) == .giveUp)
    }
}
