import Bellhop
import Testing

@Suite("Wrong configurations")
struct WrongConfigurationTests {
    /// The first line is right; what a case adds stands in the second.
    static func file(_ second: String) -> String {
        "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"hunter2\"},\n\(second)}"
    }

    /// The same with more in the account.
    static func account(_ second: String) -> String {
        "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"hunter2\",\n\(second)}}"
    }

    /// With another password.
    static func password(_ second: String) -> String {
        "{\"account\": {\"jid\": \"bot@example.org\", \"password\":\n\(second)}}"
    }

    static func rule(_ second: String) -> String { file("\"subscriptions\": {\"rules\": [\n\(second)]}") }

    static func command(_ second: String) -> String {
        file("\"roles\": {\"ops\": [\"*@example.org\"]}, \"commands\": {\"list\": [\n\(second)]}")
    }

    static let cases: [(text: String, complaints: [String])] =
        wholeFiles + behindAccount.map { (file($0.text), $0.complaints) }
        + inRules.map { (rule($0.text), $0.complaints) }
        + inPrograms.map { (command($0.text), $0.complaints) }
        + inAccount.map { (account($0.text), $0.complaints) } + passwords.map { (password($0.text), $0.complaints) }

    @Test("the operator reads what is wrong, where, and what to do", arguments: cases)
    func sentences(text: String, complaints: [String]) {
        #expect(FakeSurroundings().complaints(text) == complaints.map { "bot.json:" + $0 })
    }

    @Test("no sentence shows the password", arguments: cases)
    func secrecy(text: String, complaints: [String]) {
        #expect(!FakeSurroundings().complaints(text).contains { $0.contains("hunter") })
    }
}
