import BellhopBot
import Testing

@testable import Bellhop

@Suite("A bot's own settings")
struct SettingsTests {
    enum Mood: String, CaseIterable, ArgumentValue { case calm, stern }

    /// A word of lower-case letters.
    struct Nick: ArgumentValue, Equatable {
        static let argumentExpectation: String? = "a nick of lower-case letters"
        var argumentText: String

        init?(argumentText text: String) {
            guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) else {
                return nil
            }
            argumentText = text
        }
    }

    struct Settings: CustomSettings, Equatable {
        var greeting = "Hello"
        var mood = Mood.calm
        var nick: Nick?
        var friends: [Nick] = []
        var factor = 1.5
        var loud = false
        var count = 3
        var any = 7
        var pause: Duration = .seconds(5)

        static let keys: [SettingKey<Settings>] = [
            SettingKey("greeting", \.greeting), SettingKey("mood", \.mood), SettingKey("nick", \.nick),
            SettingKey("friends", \.friends), SettingKey("factor", \.factor), SettingKey("loud", \.loud),
            SettingKey("count", \.count, in: 1...9), SettingKey("any", \.any),
            SettingKey("pause", \.pause, in: .seconds(1) ... .seconds(60)),
        ]
    }

    private static let bot = Bot(settings: Settings.self) {}

    private static func load(_ settings: String, _ bot: Bot) -> Result<LoadedConfiguration, ConfigurationReport> {
        let text = "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"x\"},\n\(settings)}"
        let loader = ConfigurationLoader(
            bot: "echobot", surroundings: FakeSurroundings().having("bot.json", text), declaration: bot.declaration,
            settings: bot.settingsReader)
        return loader.load(file: "bot.json")
    }

    private static func facts(_ settings: String) throws -> [String] {
        ConfigurationSummary.facts(try load(settings, bot).get()).filter { $0.name.hasPrefix("bot.") }
            .map { "\($0.name) \($0.value)" }
    }

    @Test(
        "without any the defaults hold, and check shows them",
        arguments: ["\"admins\": []", "\"bot\": {}", "\"bot\": null"])
    func defaults(settings: String) throws {
        #expect(
            try Self.facts(settings) == [
                "bot.greeting \"Hello\"", "bot.mood \"calm\"", "bot.nick none", "bot.friends []", "bot.factor 1.5",
                "bot.loud false", "bot.count 3", "bot.any 7", "bot.pause \"5s\"",
            ])
    }

    @Test("each key is read as its type reads it")
    func values() throws {
        let settings = """
            "bot": {"greeting": "Hi \\"you\\"", "mood": "stern", "nick": "bob", "friends": ["al", "cy"], "factor": 2,
            "loud": true, "count": 9, "any": -9223372036854775808, "pause": "1m"}
            """
        #expect(
            try Self.facts(settings) == [
                "bot.greeting \"Hi \\\"you\\\"\"", "bot.mood \"stern\"", "bot.nick \"bob\"",
                "bot.friends [\"al\", \"cy\"]", "bot.factor 2", "bot.loud true", "bot.count 9",
                "bot.any -9223372036854775808", "bot.pause \"1m\"",
            ])
    }

    @Test(
        "what does not fit is said with its place",
        arguments: [
            ("{\"greting\": \"x\"}", ["2:9: bot.greting: There is no such key; did you mean \"greeting\"?"]),
            (
                "{\"zzz\": 1}",
                [
                    "2:9: bot.zzz: There is no such key; known here: greeting, mood, nick, friends, factor, loud, count, any, "
                        + "pause."
                ]
            ),
            ("[]", ["2:8: bot: This must be an object, not a list."]),
            ("\"x\"", ["2:8: bot: This must be an object, not text."]),
            ("{\"greeting\": 1}", ["2:21: bot.greeting: This must be text, not a number."]),
            (
                "{\"mood\": \"Calm\"}",
                ["2:17: bot.mood: \"Calm\" is not allowed; this must be one of \"calm\", \"stern\"."]
            ),
            (
                "{\"nick\": \"Bob\"}",
                ["2:17: bot.nick: \"Bob\" does not fit; this must be a nick of lower-case letters."]
            ),
            (
                "{\"friends\": [\"al\", \"B\", 3]}",
                [
                    "2:27: bot.friends[1]: \"B\" does not fit; this must be a nick of lower-case letters.",
                    "2:32: bot.friends[2]: This must be a nick of lower-case letters, not a number.",
                ]
            ),
            ("{\"friends\": \"al\"}", ["2:20: bot.friends: This must be a list, not text."]),
            ("{\"factor\": 1e999}", ["2:19: bot.factor: \"1e999\" does not fit; this must be a number."]),
            ("{\"loud\": \"true\"}", ["2:17: bot.loud: This must be true or false, not text."]),
            ("{\"count\": 10}", ["2:18: bot.count: This must be at least 1 and at most 9."]),
            ("{\"any\": 1.5}", ["2:16: bot.any: \"1.5\" does not fit; this must be a whole number."]),
            (
                "{\"any\": 9223372036854775808}",
                ["2:16: bot.any: \"9223372036854775808\" does not fit; this must be a whole number."]
            ),
            ("{\"pause\": \"2m\"}", ["2:18: bot.pause: This must be at least \"1s\" and at most \"1m\"."]),
            (
                "{\"count\": 1, \"count\": 2}",
                ["2:21: bot.count: The key stands here a second time; the first is in line 2, column 9."]
            ),
        ])
    func wrong(object: String, complaints: [String]) {
        switch Self.load("\"bot\": \(object)", Self.bot) {
        case .success: Issue.record("\(object) was taken")
        case .failure(let report): #expect(report.lines == complaints.map { "bot.json:" + $0 })
        }
    }

    @Test("a bot without settings refuses some, and takes an empty object")
    func none() {
        guard case .failure(let report) = Self.load("\"bot\": {\"x\": 1}", Bot {}) else {
            Issue.record("settings of no bot were taken")
            return
        }
        #expect(report.lines == ["bot.json:2:8: bot: This bot has no settings of its own; leave the key out."])
        #expect(throws: Never.self) { try Self.load("\"bot\": {}", Bot {}).get() }
    }

    @Test("a reload finds them changed, wherever they stand in the file")
    func changes() throws {
        let one = try Self.load("\"bot\": {\"count\": 1}", Self.bot).get()
        let two = try Self.load("\"bot\": {\"count\": 2}", Self.bot).get()
        let same = try Self.load("\n\n\"bot\": { \"loud\": false, \"count\": 1}", Self.bot).get()
        #expect(ConfigurationChanges(started: one, current: one, new: two).applied == ["bot"])
        #expect(ConfigurationChanges(started: one, current: one, new: two).postponed == [])
        #expect(ConfigurationChanges(started: one, current: one, new: same).applied == [])
    }

    @Test("two configurations that differ in nothing else are not the same")
    func difference() throws {
        let one = try Self.load("\"bot\": {\"count\": 1}", Self.bot).get().configuration
        #expect(one != (try Self.load("\"bot\": {\"count\": 2}", Self.bot).get().configuration))
        #expect(one == (try Self.load("\"bot\": {\"count\": 1, \"loud\": false}", Self.bot).get().configuration))
    }
}
