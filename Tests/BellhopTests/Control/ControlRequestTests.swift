import Bellhop
import BellhopBot
import BellhopXMPP
import Testing

@Suite("Requests of the command line to a bot")
struct ControlRequestTests {
    static func every() throws -> [ControlRequest] {
        let ann = try JID("ann@example.org")
        let else_ = try JID("else.example")
        var filter = Invocation.OutboxFilter()
        filter.to = ann
        filter.since = .seconds(7_200)
        filter.failedOnly = true
        return [
            .listOutbox(Invocation.OutboxFilter()), .listOutbox(filter), .changeOutbox(.retry, .number(7), filter),
            .changeOutbox(.drop, .all, filter), .changeOutbox(.retry, .number(Int64.max), Invocation.OutboxFilter()),
            .send(to: try JID("ann@example.org/phone"), text: "two\nlines, \"quotes\", \\ and \u{1F600}\u{202E}\u{0}"),
            .listRoster,
            .addContact(ann, name: "Änne", groups: ["Friends", ""]), .addContact(ann, name: nil, groups: []),
            .removeContact(ann), .listRequests, .forget(ann), .fetch(ann, since: .seconds(7_200)),
            .answerRequests(.number(7), accepting: true), .answerRequests(.person(ann), accepting: false),
            .answerRequests(.domain(else_), accepting: true), .answerRequests(.all, accepting: false),
            .status, .examine, .pause, .resume, .resetLogin,
        ]
    }

    @Test("every request is one line and reads back as itself")
    func roundTrip() throws {
        for request in try Self.every() {
            for account in [nil, try JID("bot@example.org")] {
                let addressed = AddressedRequest(request, for: account)
                #expect(!addressed.json.contains { $0.isNewline })
                #expect(try AddressedRequest(json: Array(addressed.json.utf8)) == addressed)
            }
        }
    }

    @Test(
        "whatever is no request is told what is wrong, without repeating it",
        arguments: [
            ("", "this is no JSON"), ("{", "this is no JSON"), ("{\"do\":\"li", "this is no JSON"),
            ("send ann hello", "this is no JSON"), (String(repeating: "[", count: 100_000), "this is no JSON"),
            ("[]", "an object is wanted, not a list"), ("7", "an object is wanted, not a number"),
            ("{\"account\":\"@\",\"do\":\"status\"}", "account is no address"),
            ("{\"account\":7,\"do\":\"status\"}", "account has to be text"), ("{}", "do is missing"),
            ("{\"do\":7}", "do has to be text"),
            ("{\"do\":\"reboot\"}", "there is no such thing to do"),
            ("{\"do\":\"list-roster\",\"do\":\"list-roster\"}", "a key stands there twice"),
            ("{\"do\":\"list-roster\",\"secret\":1}", "there is a key that is not known"),
            ("{\"do\":\"send\",\"to\":\"ann@example.org\"}", "text is missing"),
            ("{\"do\":\"send\",\"to\":\"@\",\"text\":\"x\"}", "to is no address"),
            ("{\"do\":\"send\",\"to\":\"a@b\",\"text\":\"\"}", "text has to have 1 to 65536 bytes"),
            ("{\"do\":\"add-contact\",\"jid\":\"a@b\",\"name\":7,\"groups\":[]}", "name has to be text or null"),
            (
                "{\"do\":\"add-contact\",\"jid\":\"a@b\",\"name\":null,\"groups\":[7]}",
                "groups has to be a list of texts"
            ),
            (
                "{\"do\":\"list-outbox\",\"to\":null,\"since\":-1,\"failed\":false}",
                "since has to be 0 to 3155760000 seconds"
            ),
            (
                "{\"do\":\"list-outbox\",\"to\":null,\"since\":9223372036854775807,\"failed\":false}",
                "since has to be 0 to 3155760000 seconds"
            ),
            ("{\"do\":\"list-outbox\",\"to\":\"@\",\"since\":1,\"failed\":false}", "to is no address"),
            ("{\"do\":\"retry-outbox\",\"to\":null,\"since\":1,\"failed\":false}", "all is missing"),
            ("{\"do\":\"drop-outbox\",\"all\":false,\"to\":null,\"since\":1,\"failed\":false}", "all can only be true"),
            (
                "{\"do\":\"drop-outbox\",\"number\":\"1\",\"to\":null,\"since\":1,\"failed\":false}",
                "number has to be a whole number"
            ),
            ("{\"do\":\"accept-requests\",\"number\":7.5}", "number has to be a whole number"),
            ("{\"do\":\"accept-requests\",\"number\":99999999999999999999}", "number has to be a whole number"),
            ("{\"do\":\"accept-requests\",\"all\":false}", "all can only be true"),
            ("{\"do\":\"accept-requests\",\"domain\":\"a@b\"}", "domain is no domain"),
            ("{\"do\":\"accept-requests\",\"number\":1,\"all\":true}", "there is a key that is not known"),
        ])
    func hostile(line: String, reason: String) {
        #expect(throws: ControlFailure.notUnderstood(reason)) { try AddressedRequest(json: Array(line.utf8)) }
    }

    @Test("bytes that are no text are no request")
    func noText() {
        #expect(throws: ControlFailure.notUnderstood("this is no JSON")) {
            try AddressedRequest(json: [0x7B, 0xFF, 0xFE, 0x7D])
        }
    }

    @Test("a text above the limit is not sent")
    func tooLong() throws {
        let text = String(repeating: "a", count: ControlRequest.textLimit)
        let longest = ControlRequest.send(to: try JID("a@b"), text: text)
        #expect(try AddressedRequest(json: Array(AddressedRequest(longest, for: nil).json.utf8)).request == longest)
        let longer = ControlRequest.send(to: try JID("a@b"), text: text + "a")
        #expect(throws: ControlFailure.notUnderstood("text has to have 1 to 65536 bytes")) {
            try AddressedRequest(json: Array(AddressedRequest(longer, for: nil).json.utf8))
        }
    }
}
