import BellhopBot
import BellhopXMPP
import Testing

@testable import Bellhop

@Suite("Output, typing and troubles in the configuration")
struct OutputConfigurationTests {
    private static func load(_ members: String) throws -> Configuration {
        var surroundings = FakeSurroundings()
        surroundings.variables["BELLHOP_PASSWORD"] = "x"
        return try surroundings.load(
            #"{"account": {"jid": "bot@example.org", "password": "x"}, "admins": ["a@example.org"], \#(members)}"#
        ).get().configuration
    }

    @Test(
        "who hears of troubles: the admins, those named, or nobody",
        arguments: [
            (#""diagnostics": {}"#, ["a@example.org"]), (#""diagnostics": {"notify": null}"#, ["a@example.org"]),
            (#""diagnostics": {"notify": ["b@example.org"]}"#, ["b@example.org"]),
            (#""diagnostics": {"notify": false}"#, []), (#""diagnostics": {"notify": []}"#, []),
        ])
    func notified(members: String, wanted: [String]) throws {
        #expect(try Self.load(members).deskSettings(program: "x").notified.map(\.bareText) == wanted)
    }

    @Test("the desk gets what the configuration says")
    func desk() throws {
        let fresh = try Self.load(#""commands": {}"#)
        #expect(fresh.deskSettings(program: "x").output.characters == 2_400)
        #expect(fresh.deskSettings(program: "x").output.messages == 3)
        #expect(fresh.deskSettings(program: "x").typingDelay == .seconds(1))
        let changed = try Self.load(
            #""commands": {"output": {"characters": false, "messages": 7}, "typing": false}"#)
        #expect(changed.deskSettings(program: "x").output.characters == nil)
        #expect(changed.deskSettings(program: "x").output.messages == 7)
        #expect(changed.deskSettings(program: "x").typingDelay == nil)
    }

    @Test(
        "what does not fit is refused with its place and what to write",
        arguments: [
            (
                #""diagnostics": {"notify": true}"#,
                "diagnostics.notify: This must be a list of addresses or false, not true."
            ),
            (
                #""diagnostics": {"notify": ["x"]}"#,
                #"diagnostics.notify[0]: "x" has no @; write a whole address, like "alice@example.org"."#
            ),
            (
                #""commands": {"output": {"characters": 10}}"#,
                "commands.output.characters: This must be at least 200 and at most 16000."
            ),
            (
                #""commands": {"output": {"messages": 0}}"#,
                "commands.output.messages: This must be at least 1 and at most 20."
            ),
            (
                #""commands": {"output": {"lines": 1}}"#,
                "commands.output.lines: There is no such key; known here: characters, messages."
            ),
            (#""commands": {"typing": 1}"#, "commands.typing: This must be true or false, not a number."),
        ])
    func refused(members: String, sentence: String) throws {
        do {
            _ = try Self.load(members)
            Issue.record("it was accepted")
        } catch let report as ConfigurationReport {
            #expect(report.problems.map { "\($0.path): \($0.sentence)" } == [sentence])
        }
    }
}
