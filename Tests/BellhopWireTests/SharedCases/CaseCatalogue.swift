@testable import Bellhop

/// What the cases need that no file can say: where each case is shown, what waits for what, and in which words this bot
/// speaks.
enum CaseCatalogue {
    /// A capability that the bot does not have yet.
    enum Capability: String, Sendable {
        case accessRules = "access rules beyond admins"
        case receipts = "receipts"
        case rooms = "rooms"
        case search = "search in the log"
    }

    /// Members of `expect`, of a run or of a step of these cases that wait; the rest of the case is run.
    private static let awaitedMembers: [String: [String: Capability]] = [
        "C144": ["stderr_contains": .accessRules],
        "C136": ["cli": .search, "search_hits": .search],
    ]

    /// Members that another test shows, and where.
    private static let shownElsewhere: [String: [String: String]] = [
        "C158": [
            "max_extra_mb": "BellhopXMLTests/HostileStreamTests: entities are never declared, so nothing grows",
            "within_ms": "the test waits for the fact",
        ]
    ]

    /// What a member of a case waits for, or where it is shown; nil where it is to be checked here.
    static func awaited(_ name: String, _ member: String) -> String? {
        awaitedMembers[name]?[member]?.rawValue ?? shownElsewhere[name]?[member]
    }

    /// How a bot must end, where it ends by itself.
    static func exitCode(_ name: String) -> ExitCode? {
        switch name {
        // The server does not serve the domain, offers no encryption, or took the resource away.
        case "C002", "C007", "C014": .conflict
        case "C010": .loginRefused
        case "C019": .unavailable
        case "C144": .configuration
        default: nil
        }
    }

    /// Admins hear of a request that waits; the cases know no such message.
    static func isNotice(_ body: String) -> Bool { body.hasPrefix("request ") }

    /// What may be said although a case wants quiet: its own answers to what came before, and hints that it allows.
    static func mayBeSaid(_ name: String, _ body: String) -> Bool {
        let sentences: [String: [String]] = [
            "C047": ["deployed stagin", "I do not run edited messages"],
            "C049": ["I cannot read encrypted messages"],
            "C059": ["pong"],
        ]
        return isNotice(body) || sentences[name]?.contains { body.hasPrefix($0) } == true
    }
}
