import BellhopBot
import BellhopXMPP
import Testing

@testable import Bellhop

@Suite("A dry run of the subscription rules")
struct DryRunTests {
    @Test("each address has its action and what decides, and a line that is no address its number")
    func decisions() throws {
        let policy = SubscriptionPolicy(
            permissions: Permissions(admins: [try JID("boss@example.org")]),
            rules: [
                SubscriptionRule(try JIDPattern("*@spam.example"), .block),
                SubscriptionRule(try JIDPattern("*.example"), .acceptMutual),
            ])
        let list = "boss@example.org/phone\r\n\r\n  Mallory@SPAM.example \nann@good.example\n@@\nz@elsewhere.net"
        let run = DryRun(list, file: "list.txt", policy: policy)
        #expect(
            run.output == """
                boss@example.org\taccept-mutual\tadmins
                mallory@spam.example\tblock\tsubscriptions.rules[0]
                ann@good.example\taccept-mutual\tsubscriptions.rules[1]
                z@elsewhere.net\task\tdefault

                """)
        #expect(run.problems == ["list.txt:5: \"@@\" is no address: nothing stands before the @."])
    }

    @Test("an empty list decides nothing")
    func empty() {
        let run = DryRun("", file: "-", policy: SubscriptionPolicy(permissions: Permissions(admins: [])))
        #expect(run.output.isEmpty && run.problems.isEmpty)
    }
}
