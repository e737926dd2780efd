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

    @Test("whatever comes behind the ping is an answer, and the silence begins anew")
    func answered() {
        var watch = watch()
        #expect(watch.timePassed(.seconds(1_060)) == .ask)
        watch.received(.seconds(1_079))
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
