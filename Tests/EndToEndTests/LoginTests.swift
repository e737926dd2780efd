import Glibc
import Testing

@Suite("Logging in to a real server", .timeLimit(.minutes(3)))
struct LoginTests {
    struct Offer: Sendable, CustomTestStringConvertible {
        var kind: RealServer.Kind
        var options: [RealServer.Option]
        var mechanism: String
        var tls: String

        var testDescription: String { "\(kind) \(mechanism) \(tls)" }
    }

    static let offers = [
        Offer(kind: .prosody, options: [], mechanism: "SCRAM-SHA-1", tls: "TLS 1.3"),
        Offer(kind: .prosody, options: [.hash("SHA-256"), .onlyTLS12], mechanism: "SCRAM-SHA-256", tls: "TLS 1.2"),
        Offer(kind: .ejabberd, options: [.hash("SHA-1")], mechanism: "SCRAM-SHA-1", tls: "TLS 1.3"),
        Offer(kind: .ejabberd, options: [], mechanism: "SCRAM-SHA-256", tls: "TLS 1.3"),
        Offer(kind: .ejabberd, options: [.hash("SHA-512"), .onlyTLS12], mechanism: "SCRAM-SHA-512", tls: "TLS 1.2"),
    ]

    @Test(
        "the strongest mechanism and protocol that the server has are used, and PLAIN is not, though allowed",
        arguments: offers)
    func strongest(offer: Offer) async throws {
        try await RealServer.running(offer.kind, offer.options) { server in
            var settings = TestBot.Settings()
            settings.account = [#""allowPlain": true"#]
            try await TestBot.registered(at: server, settings) { bot in
                try await bot.online { child in
                    let login = try await child.errors.line(containing: " login: ") ?? ""
                    #expect(login.contains("mechanism=\(offer.mechanism)"))
                    #expect(login.contains("tls=\"\(offer.tls)\""))
                    #expect(login.contains("jid=\(bot.jid)/bellhop"))
                    #expect(login.contains("host=\(server.host):\(server.port)"))
                }
            }
        }
    }

    @Test("where TLS comes first, the bot registers and logs in that way", arguments: RealServer.Kind.allCases)
    func directTLS(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind, [.directTLS]) { server in
            let port = try #require(server.directPort)
            var settings = TestBot.Settings()
            settings.port = port
            settings.directTLS = true
            try await TestBot.registered(at: server, settings) { bot in
                try await bot.online { child in
                    let login = try await child.errors.line(containing: " login: ") ?? ""
                    #expect(login.contains("tls=\"TLS 1.3\""))
                    #expect(login.contains("host=\(server.host):\(port)"))
                }
            }
        }
    }

    @Test("PLAIN is used only where the operator allows it", arguments: RealServer.Kind.allCases)
    func plain(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind, [.onlyPlain]) { server in
            var settings = TestBot.Settings()
            settings.account = [#""allowPlain": true"#]
            try await TestBot.registered(at: server, settings) { bot in
                try await bot.online { child in
                    let login = try await child.errors.line(containing: " login: ") ?? ""
                    #expect(login.contains("mechanism=PLAIN"))
                }
                try bot.write(TestBot.Settings())
                let run = try await bot.run()
                #expect(run.end == .exited(77))
                #expect(run.errors.contains("the server offers only PLAIN"))
                #expect(run.errors.contains("account.allowPlain"))
            }
        }
    }

    @Test(
        "where the login has to be bound to TLS, Debian's servers take none of our types, and nothing else is tried",
        arguments: [(RealServer.Kind.prosody, "the server cannot bind a login"), (.ejabberd, "another TLS connection")])
    func required(kind: RealServer.Kind, words: String) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                var settings = TestBot.Settings()
                settings.account = [#""channelBinding": "required""#, #""allowPlain": true"#]
                try bot.write(settings)
                let run = try await bot.run()
                #expect(run.end == .exited(77))
                #expect(run.errors.contains(words))
                #expect(run.errors.contains("account.channelBinding"))
            }
        }
    }

    @Test(
        "a server with jabber:iq:auth alone is used where that is allowed; ejabberd takes a digest, Prosody the password",
        arguments: [(RealServer.Kind.ejabberd, "digest"), (.prosody, "password")])
    func legacyLogin(kind: RealServer.Kind, proof: String) async throws {
        try await RealServer.running(kind, [.onlyLegacyAuth]) { server in
            var settings = TestBot.Settings()
            settings.account = [#""allowLegacyLogin": true"#]
            if proof == "password" { settings.account.append(#""allowPlain": true"#) }
            try await TestBot.registered(at: server, settings) { bot in
                try await bot.online { child in
                    let login = try await child.errors.line(containing: " login: ") ?? ""
                    #expect(login.contains("mechanism=\"jabber:iq:auth (\(proof))\""))
                    #expect(login.contains("jid=\(bot.jid)/bellhop"))
                }
                try bot.write(TestBot.Settings())
                let run = try await bot.run()
                #expect(run.end == .exited(77))
                #expect(run.errors.contains("account.allowLegacyLogin"))
            }
        }
    }

    @Test(
        "an account is registered once, and a name that somebody else has is said to be taken",
        arguments: RealServer.Kind.allCases)
    func registration(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.configured(at: server) { bot in
                let first = try await bot.register()
                #expect(first.end == .exited(0))
                #expect(first.errors.contains("The account bot@localhost exists now and can log in"))
                #expect(first.output.isEmpty)
                // Whoever was cut off in between asks again.
                let second = try await bot.register()
                #expect(second.end == .exited(0))
                #expect(second.errors.contains("The account bot@localhost is there already, and its password works"))
                try bot.write(TestBot.Settings(password: "the password of somebody else"))
                let third = try await bot.register()
                #expect(third.end == .exited(69))
                #expect(third.errors.contains("the name bot is taken on localhost"))
            }
        }
    }

    @Test("a server that registers nobody says so", arguments: RealServer.Kind.allCases)
    func closedRegistration(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind, [.withoutRegistration]) { server in
            try await TestBot.configured(at: server) { bot in
                let run = try await bot.register()
                #expect(run.end == .exited(69))
                #expect(run.errors.contains("ask its operator for one"))
            }
        }
    }

    @Test("a wrong password ends the run after one attempt", arguments: RealServer.Kind.allCases)
    func wrongPassword(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                // One for the registration, one for the login that proves it.
                let before = try await connections(to: server, atLeast: 2)
                var settings = TestBot.Settings()
                settings.password = "something else"
                try bot.write(settings)
                let run = try await bot.run()
                #expect(run.end == .exited(77))
                #expect(run.errors.contains("user name or password is wrong"))
                #expect(run.errors.split(separator: "\n").filter { $0.contains(" error ") }.count == 1, "\(run.errors)")
                #expect(!run.errors.contains("something else"))
                #expect(try await connections(to: server, atLeast: before + 1) == before + 1)
                #expect(run.output.isEmpty)
            }
        }
    }

    @Test("what the configuration lacks is said before a packet leaves")
    func configuration() async throws {
        try await RealServer.running(.prosody) { server in
            try await TestBot.configured(at: server) { bot in
                let before = try connections(to: server)
                var settings = TestBot.Settings()
                settings.members = [#""admns": ["you@localhost"]"#]
                settings.password = ""
                try bot.write(settings)
                let run = try await bot.run()
                #expect(run.end == .exited(78))
                #expect(run.errors.contains("admns"))
                #expect(run.errors.contains("admins"))
                #expect(run.errors.contains("account.password"))
                #expect(try connections(to: server) == before)
            }
        }
    }

    @Test("a server of another domain ends the run", arguments: RealServer.Kind.allCases)
    func otherDomain(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind, [.domain("bots.example")]) { server in
            var settings = TestBot.Settings()
            settings.domain = "elsewhere.example"
            try await TestBot.configured(at: server, settings) { bot in
                let run = try await bot.run()
                #expect(run.end == .exited(76))
                #expect(run.errors.contains("does not serve the domain elsewhere.example"))
            }
        }
    }

    @Test(
        "a server without encryption ends the run, and the password does not leave", arguments: RealServer.Kind.allCases
    )
    func withoutEncryption(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind, [.withoutTLS]) { server in
            try await TestBot.configured(at: server) { bot in
                let run = try await bot.run()
                #expect(run.end == .exited(76))
                #expect(run.errors.contains("offers no encryption"))
            }
        }
    }

    @Test("another login under the same resource ends the run", arguments: RealServer.Kind.allCases)
    func conflict(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                try await bot.online { child in
                    try await Person.online(
                        "bot", at: server, resource: "bellhop", password: TestBot.password, isRegistered: true
                    ) { _ in
                        #expect(await child.end() == .exited(76))
                    }
                    let words = try await child.errors.everything()
                    #expect(words.contains("another session took over this account and resource"))
                }
            }
        }
    }

    @Test("a second process on the same journal ends at once and names the first")
    func secondInstance() async throws {
        try await RealServer.running(.prosody) { server in
            try await TestBot.registered(at: server) { bot in
                try await bot.online { child in
                    let before = try connections(to: server)
                    let second = try await bot.run()
                    #expect(second.end == .exited(75))
                    #expect(second.errors.contains("process \(child.processNumber)"))
                    #expect(try connections(to: server) == before)
                    child.signal(SIGTERM)
                    #expect(await child.end() == .exited(0))
                }
            }
        }
    }

    /// How many connections the server has logged, once they are that many; it writes its log when it likes.
    private func connections(to server: RealServer, atLeast count: Int) async throws -> Int {
        for _ in 0..<200 where try connections(to: server) < count {
            try await Task.sleep(for: .milliseconds(50))  // waits for a fact: the server's line about the connection
        }
        return try connections(to: server)
    }

    /// How many connections the server has logged.
    private func connections(to server: RealServer) throws -> Int {
        let words = server.kind == .prosody ? "Client connected" : "Accepted connection"
        return try server.logLines().filter { $0.contains(words) }.count
    }
}
