import BellhopXMPP
import Testing

@testable import BellhopBot

@Suite("Token buckets")
struct TokenBucketTests {
    @Test("a burst, then one each interval, and after a rest a burst again")
    func rhythm() {
        let pace = Pace(perSecond: 10, burst: 3)
        var bucket = TokenBucket()
        var now = Duration.seconds(1_000)
        #expect((0..<5).map { _ in bucket.take(pace, now: now) } == [true, true, true, false, false])
        #expect(bucket.nextToken(pace) == now + .milliseconds(100))
        now += .milliseconds(99)
        let early = bucket.take(pace, now: now)
        #expect(!early)
        now += .milliseconds(1)
        #expect((0..<2).map { _ in bucket.take(pace, now: now) } == [true, false])
        #expect(!bucket.isFull(now: now))
        now += .seconds(100)
        #expect(bucket.isFull(now: now))
        #expect((0..<4).map { _ in bucket.take(pace, now: now) } == [true, true, true, false])
    }

    @Test("over a long time exactly the pace goes through", arguments: [(1, 1), (20, 1), (20, 40), (1_000, 7)])
    func longRun(perSecond: Int, burst: Int) {
        let pace = Pace(perSecond: perSecond, burst: burst)
        var bucket = TokenBucket()
        var taken = 0
        for millisecond in 0..<10_000 {
            while bucket.take(pace, now: .seconds(5) + .milliseconds(millisecond)) { taken += 1 }
        }
        #expect(taken >= perSecond * 10 + burst - 2 && taken <= perSecond * 10 + burst)
    }

    @Test("numbers out of bounds are bounded", arguments: [Int.min, -1, 0, .max])
    func bounds(number: Int) {
        let pace = Pace(perSecond: number, burst: number)
        #expect(1...1_000_000 ~= pace.perSecond && 1...1_000_000 ~= pace.burst)
        var bucket = TokenBucket()
        let taken = bucket.take(pace, now: .zero)
        #expect(taken)
    }

    @Test("persons are counted apart, and remembered in bounded number")
    func persons() throws {
        var paces = PersonPaces(Pace(perSecond: 1, burst: 1))
        let (alice, bob) = (try JID("alice@example.test"), try JID("bob@example.test"))
        #expect([alice, alice, bob].map { paces.allow($0, now: .seconds(9)) } == [true, false, true])
        #expect(paces.next(alice) == .seconds(10))
        for number in 0..<PersonPaces.capacity * 3 {
            let isAllowed = paces.allow(try JID("p\(number)@example.test"), now: .seconds(9))
            #expect(isAllowed)
        }
        paces.forget(bob)
        let isAllowed = paces.allow(bob, now: .seconds(9))
        #expect(isAllowed)
    }
}
