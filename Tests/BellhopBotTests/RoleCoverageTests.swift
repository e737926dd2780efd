import BellhopBot
import BellhopXMPP
import Testing

@Suite("What an entry of a role leaves for others")
struct RoleCoverageTests {
    /// Members of all kinds, with few names, so that many of them cover others.
    private static let pool: [RoleMember] = {
        let locals = ["", "a@", "b@", "a*@", "*@", "?@", "a?b@", "*b*@"]
        let domains = ["x.example", "y.example", "*.example", "?.example", "*", "x.*", "sub.x.example"]
        let patterns = locals.flatMap { local in domains.compactMap { try? JIDPattern(local + $0) } }
        return patterns.map { .pattern($0) } + [.group("a"), .group("x.example"), .group("b")]
    }()

    @Test("the first that covers is found without a look at all, and is the one that a look at all finds")
    func sameAsLinear() {
        var state: UInt64 = 7
        for _ in 0..<200 {
            var coverage = RoleCoverage()
            var all: [RoleMember] = []
            for index in 0..<40 {
                // A small generator of one's own: the lists are the same in every run.
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let member = Self.pool[Int(state >> 33) % Self.pool.count]
                #expect(coverage.first(covering: member)?.index == all.firstIndex { $0.covers(member) })
                all.append(member)
                coverage.append(member, index: index)
            }
        }
    }

    @Test("of a long list of patterns the first hundred are asked, and every address")
    func bounded() throws {
        var coverage = RoleCoverage()
        for index in 0..<1_000 {
            coverage.append(.pattern(try JIDPattern("u\(index)-*@*.x\(index).example")), index: index)
        }
        coverage.append(.pattern(try JIDPattern("ada@x.example")), index: 1_000)
        #expect(coverage.first(covering: .pattern(try JIDPattern("u99-a@sub.x99.example")))?.index == 99)
        #expect(coverage.first(covering: .pattern(try JIDPattern("u100-a@sub.x100.example"))) == nil)
        #expect(coverage.first(covering: .pattern(try JIDPattern("ada@x.example")))?.index == 1_000)
    }
}
