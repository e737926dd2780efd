import Testing

@Suite("Shared cases")
struct SharedCaseTests {
    struct Play: Sendable, CustomTestStringConvertible {
        var name: String
        var style: StandardBot.Style

        var testDescription: String { "\(name), handlers run as \(style)" }
    }

    private static let played = CaseCatalogue.places.compactMap { name, place in
        if case .file = place { name } else { String?.none }
    }

    static let plays = played.sorted().flatMap { name in
        [StandardBot.Style.inline, .tasks].map { Play(name: name, style: $0) }
    }

    @Test("a case with an input file comes out right", arguments: plays)
    func play(_ play: Play) async throws {
        let file = try CaseFile(play.name)
        for variant in file.variants {
            for failure in try await CaseDriver.run(file, variant: variant, style: play.style) {
                Issue.record("\(failure)")
            }
        }
    }
}
