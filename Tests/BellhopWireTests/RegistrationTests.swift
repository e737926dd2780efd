import BellhopClient
import BellhopDiagnostics
import BellhopEngine
import BellhopXML
import Testing

@testable import Bellhop
@testable import BellhopTestServer

@Suite("Registering over the wire")
struct RegistrationTests {
    private static let mechanisms =
        "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>"
        + "<mechanism>SCRAM-SHA-256</mechanism></mechanisms>"
    private static let tls = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"

    /// Runs a registration up to its question for the form; `runs` goes on as a bot.
    private func asked(
        runs: Bool = false, _ registration: AccountRegistration = AccountRegistration(),
        _ script: (TestServer, BotUnderTest, TestConnection, Element) async throws -> Void
    ) async throws {
        var options = TestServerOptions(tls: try TestIdentity.shared.get().server)
        options.accounts = ["newbot": "secret"]
        try await TestServer.running(options) { server in
            try await BotConfiguration.inFolder { folder in
                let configuration = try BotConfiguration.standard(
                    server, folder: folder, jid: "newbot@bots.example.test")
                var registration = registration
                registration.staysConnected = runs
                let change: (inout BotRun) -> Void = { $0.registration = registration }
                try await BotUnderTest.running(
                    configuration, registers: !runs, registration: registration, change: change
                ) { bot in
                    let connection = try await server.connection()
                    try await connection.open(features: Self.tls)
                    try await connection.secure()
                    try await connection.open(features: Self.mechanisms)
                    let question = try await connection.expect("iq", type: "get") {
                        $0.child("query", "jabber:iq:register") != nil
                    }
                    try await script(server, bot, connection, question)
                }
            }
        }
    }

    private static func refusal(_ question: Element, _ error: String) -> String {
        "<iq type='error' id='\(question["id"] ?? "")'>\(error)</iq>"
    }

    private static func error(_ type: String, _ condition: String) -> String {
        "<error type='\(type)'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
    }

    @Test("a server that registers nobody says so before any password is sent (C020)")
    func notOffered() async throws {
        try await asked { server, bot, connection, question in
            connection.send(Self.refusal(question, Self.error("cancel", "service-unavailable")))
            let code = try await bot.ending()
            #expect(code == .unavailable)
            #expect(bot.sink.text.contains { $0.contains("does not let clients register") })
            #expect(connection.unread.allSatisfy { !$0.contains("secret") && !$0.contains("<auth") })
            #expect(server.connectionCount == 1)
        }
    }

    @Test(
        "a server that forbids and one that wants us to wait are told apart, and nothing is tried again (C021)",
        arguments: [("auth", "forbidden", "does not allow"), ("wait", "resource-constraint", "try again later")])
    func refused(type: String, condition: String, sentence: String) async throws {
        try await asked { server, bot, connection, question in
            connection.reply(to: question, with: "<query xmlns='jabber:iq:register'><username/><password/></query>")
            let form = try await connection.expect("iq", type: "set")
            connection.send(Self.refusal(form, Self.error(type, condition)))
            let code = try await bot.ending()
            #expect(code == .unavailable)
            #expect(bot.sink.text.contains { $0.contains(sentence) }, "\(bot.sink.text)")
            #expect(server.connectionCount == 1)
        }
    }

    @Test(
        "success is said after a login on a new connection, whether the server closes the old one or not (C024)",
        arguments: [true, false])
    func login(closes: Bool) async throws {
        try await asked { server, bot, connection, question in
            connection.reply(to: question, with: "<query xmlns='jabber:iq:register'><username/><password/></query>")
            let form = try await connection.expect("iq", type: "set")
            connection.reply(to: form)
            if closes { connection.close() }
            let second = try await server.connection()
            #expect(!bot.sink.text.contains { $0.contains("exists now") })
            _ = try await second.login(as: "newbot@bots.example.test")
            try await Wire(second).answerGoodbye()
            let code = try await bot.ending()
            #expect(code == .success)
            #expect(bot.sink.text.contains { $0.contains("exists now") })
        }
    }

    @Test("a new account that cannot log in is no success (C024)")
    func noLogin() async throws {
        try await asked { server, bot, connection, question in
            connection.reply(to: question, with: "<query xmlns='jabber:iq:register'><username/><password/></query>")
            connection.reply(to: try await connection.expect("iq", type: "set"))
            let second = try await server.connection()
            try await second.open(features: Self.tls)
            try await second.secure()
            try await second.open(features: Self.mechanisms)
            _ = try await second.expect("auth", "urn:ietf:params:xml:ns:xmpp-sasl")
            second.send("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>")
            let code = try await bot.ending()
            #expect(code == .loginRefused)
            #expect(server.connectionCount == 2)
        }
    }

    // MARK: Going on to run

    private static let fields = "<query xmlns='jabber:iq:register'><username/><password/></query>"

    private func makeAccount(_ connection: TestConnection, _ question: Element) async throws {
        connection.reply(to: question, with: Self.fields)
        connection.reply(to: try await connection.expect("iq", type: "set"))
    }

    @Test("register --run logs in where the account was made, and answers people there")
    func sameConnection() async throws {
        try await asked(runs: true) { server, bot, connection, question in
            try await makeAccount(connection, question)
            _ = try await connection.authenticate("newbot")
            try await connection.open(features: "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>")
            _ = try await connection.bind("newbot@bots.example.test")
            let query = try await connection.expect("iq", type: "get") { $0.child("query", "jabber:iq:roster") != nil }
            connection.reply(to: query, with: "<query xmlns='jabber:iq:roster'/>")
            _ = try await connection.expect("presence") { $0["to"] == nil }
            #expect(server.connectionCount == 1)
            #expect(bot.sink.text.contains { $0.contains("has made the account newbot@bots.example.test") })
            bot.stop()
            try await Wire(connection).answerGoodbye()
            let code = try await bot.ending()
            #expect(code == .success)
        }
    }

    @Test(
        "where the server takes no login behind the registration, a new connection proves the account",
        arguments: ["close", "refuse", "error"])
    func fallsBack(how: String) async throws {
        try await asked(runs: true) { server, bot, connection, question in
            try await makeAccount(connection, question)
            switch how {
            case "close": connection.close()
            case "refuse":
                _ = try await connection.expect("auth", "urn:ietf:params:xml:ns:xmpp-sasl")
                connection.send("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>")
            default:
                connection.send("<stream:error><reset xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>")
                connection.close()
            }
            let second = try await server.connection()
            _ = try await second.login(as: "newbot@bots.example.test")
            bot.stop()
            try await Wire(second).answerGoodbye()
            let code = try await bot.ending()
            #expect(code == .success)
            #expect(server.connectionCount == 2)
        }
    }

    @Test("a new account that cannot log in on a new connection either ends the run")
    func neverLogsIn() async throws {
        try await asked(runs: true) { server, bot, connection, question in
            try await makeAccount(connection, question)
            connection.close()
            let second = try await server.connection()
            try await second.open(features: Self.tls)
            try await second.secure()
            try await second.open(features: Self.mechanisms)
            _ = try await second.expect("auth", "urn:ietf:params:xml:ns:xmpp-sasl")
            second.send("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>")
            let code = try await bot.ending()
            #expect(code == .loginRefused)
            #expect(server.connectionCount == 2)
        }
    }

    @Test(
        "an account that is not made, or may be, is asked for once, however long the bot would run",
        arguments: [true, false])
    func asksOnce(runs: Bool) async throws {
        try await asked(runs: runs) { server, bot, connection, question in
            connection.reply(to: question, with: Self.fields)
            let form = try await connection.expect("iq", type: "set")
            connection.send(Self.refusal(form, Self.error("cancel", "conflict")))
            let code = try await bot.ending()
            #expect(code == .unavailable)
            #expect(bot.sink.text.contains { $0.contains("the name newbot is taken on bots.example.test") })
            #expect(server.connectionCount == 1)
        }
        try await asked(runs: runs) { server, bot, connection, question in
            connection.reply(to: question, with: Self.fields)
            _ = try await connection.expect("iq", type: "set")
            connection.close()
            let code = try await bot.ending()
            #expect(code == .unavailable)
            #expect(bot.sink.text.contains { $0.contains("may be there now: check --online tells") })
            #expect(server.connectionCount == 1)
        }
    }

    @Test(
        "where an earlier run may have made the account, a name that is taken is tried with the password",
        arguments: [true, false])
    func mayBeThere(works: Bool) async throws {
        var registration = AccountRegistration()
        registration.mayBeThere = true
        try await asked(registration) { server, bot, connection, question in
            connection.reply(to: question, with: Self.fields)
            let form = try await connection.expect("iq", type: "set")
            connection.send(Self.refusal(form, Self.error("cancel", "conflict")))
            let second = try await server.connection()
            if works {
                _ = try await second.login(as: "newbot@bots.example.test")
                try await Wire(second).answerGoodbye()
                #expect(try await bot.ending() == .success)
                #expect(bot.sink.text.contains { $0.contains("is there already, and its password works") })
            } else {
                try await second.open(features: Self.tls)
                try await second.secure()
                try await second.open(features: Self.mechanisms)
                _ = try await second.expect("auth", "urn:ietf:params:xml:ns:xmpp-sasl")
                second.send("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>")
                #expect(try await bot.ending() == .unavailable)
                #expect(bot.sink.text.contains { $0.contains("the name newbot is taken on bots.example.test") })
            }
            #expect(server.connectionCount == 2)
        }
    }

    // MARK: Asking a person

    private static let riddle = """
        <query xmlns='jabber:iq:register'><x xmlns='jabber:x:data' type='form'>\
        <field var='FORM_TYPE' type='hidden'><value>jabber:iq:register</value></field>\
        <field var='username'><required/></field><field var='password' type='text-private'><required/></field>\
        <field var='captcha-fallback-url'><value>http://bots.example.test/77</value></field>\
        <field var='challenge' type='hidden'><value>77</value></field>\
        <field var='ocr' label='What is it?'><media xmlns='urn:xmpp:media-element'/><required/></field></x></query>
        """

    @Test("a person is asked while the server waits, and the answer goes back on the same connection")
    func person() async throws {
        var registration = AccountRegistration()
        registration.ask = { question, answer in
            answer(question.url == "http://bots.example.test/77" ? ["ocr": ["cat"]] : nil)
        }
        try await asked(runs: false, registration) { server, bot, connection, question in
            connection.reply(to: question, with: Self.riddle)
            let form = try await connection.expect("iq", type: "set")
            let fields = form.child("query", "jabber:iq:register")?.child("x", "jabber:x:data")?.children ?? []
            #expect(fields.map { "\($0["var"] ?? "")=\($0.children.map(\.text).joined())" }.contains("ocr=cat"))
            connection.reply(to: form)
            let second = try await server.connection()
            _ = try await second.login(as: "newbot@bots.example.test")
            try await Wire(second).answerGoodbye()
            let code = try await bot.ending()
            #expect(code == .success)
        }
    }

    @Test("without a person, or with one who gives up, nothing secret is sent, and the sentence says what to do")
    func nobody() async throws {
        let givesUp: AccountRegistration.Ask = { $1(nil) }
        for (ask, sentence) in [
            (nil, "wants more than a name and a password to register an account: ocr (What is it?)"),
            (givesUp, "nobody answered"),
        ] {
            var registration = AccountRegistration()
            registration.ask = ask
            try await asked(runs: false, registration) { server, bot, connection, question in
                connection.reply(to: question, with: Self.riddle)
                let code = try await bot.ending()
                #expect(code == .unavailable)
                #expect(bot.sink.text.contains { $0.contains(sentence) }, "\(bot.sink.text)")
                #expect(connection.unread.allSatisfy { !$0.contains("secret") })
                #expect(server.connectionCount == 1)
            }
        }
    }
}
