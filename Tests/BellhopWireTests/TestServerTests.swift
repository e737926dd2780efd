import BellhopTestServer
import BellhopXML
import Testing

@Suite("The test server itself")
struct TestServerTests {
    private static let account = "opsbot@bots.example.test"

    @Test(
        "a client logs in with each mechanism, over TLS",
        arguments: ["SCRAM-SHA-512", "SCRAM-SHA-256", "SCRAM-SHA-1", "PLAIN"])
    func login(mechanism: String) async throws {
        let identity = try TestIdentity.shared.get()
        let options = TestServerOptions(tls: identity.server, mechanisms: [mechanism])
        try await TestServer.running(options) { server in
            async let bound = RawClient.connected(to: server.port) { client in
                let bound = try client.login(mechanism, tls: identity.client)
                try client.expectEnd()
                return bound
            }
            let connection = try await server.connection()
            let login = try await connection.login(as: Self.account, bound: "main")
            #expect(login.mechanism == mechanism)
            #expect(login.bound == "\(Self.account)/main")
            #expect(login.headers.map { $0["to"] } == Array(repeating: "bots.example.test", count: 3))
            connection.close()
            #expect(try await bound == login.bound)
            #expect(try await connection.expectDeparture() == false)
            #expect(server.connectionCount == 1)
        }
    }

    @Test("a wrong password is refused and fails the script", arguments: ["SCRAM-SHA-256", "PLAIN"])
    func wrongPassword(mechanism: String) async throws {
        try await TestServer.running { server in
            async let refused = RawClient.connected(to: server.port) { client in
                try client.openStream()
                do {
                    try client.authenticate(mechanism, password: "wrong")
                    return false
                } catch RawClient.Failure.broke(let answer) {
                    return answer.contains("not-authorized")
                }
            }
            let connection = try await server.connection()
            await #expect(throws: TestServerFailure.self) { try await connection.login(as: Self.account) }
            #expect(try await refused)
        }
    }

    @Test("what the client sent is taken in any order, and what is left is named")
    func expectations() async throws {
        try await TestServer.running { server in
            async let client: Void = RawClient.connected(to: server.port) { client in
                _ = try client.login()
                try client.send("<message to='a@b' id='1'><body>one</body></message><presence to='c@d'/>")
                try client.send("<message to='a@b' type='chat' id='2'><body>two</body></message>")
                try client.answerPing()
                try client.answerPing()
                try client.expectEnd()
            }
            let connection = try await server.connection()
            _ = try await connection.login(as: Self.account)
            #expect(try await connection.expect("message", type: "chat")["id"] == "2")
            #expect(try await connection.expect(body: "one", to: "a@b")["id"] == "1")
            let failure = await #expect(throws: TestServerFailure.self) { try await connection.quiet() }
            #expect(failure?.description.contains("<presence to='c@d'/>") == true)
            #expect(try await connection.expect("presence")["to"] == "c@d")
            try await connection.quiet()
            connection.drop()
            try await client
        }
    }

    @Test("a fact that does not come is a failure that says what came")
    func impatience() async throws {
        let options = TestServerOptions(patience: .milliseconds(50))
        try await TestServer.running(options) { server in
            let nobody = await #expect(throws: TestServerFailure.self) { try await server.connection() }
            #expect(nobody?.reason == .impatient(.milliseconds(50)))
            async let client: Void = RawClient.connected(to: server.port) { client in
                try client.send("<s xmlns='urn:x'><something/>")
                try client.expectEnd()
            }
            // Other tests may keep both threads of the pool busy for longer than this server is patient.
            var found: TestConnection?
            while found == nil { found = try? await server.connection() }
            let connection = try #require(found)
            while connection.unread.count < 2 { await Task.yield() }
            let failure = await #expect(throws: TestServerFailure.self) { try await connection.expect("message") }
            #expect(failure?.description.contains("<something xmlns='urn:x'/>") == true)
            connection.drop()
            try await client
        }
    }

    @Test("segments arrive one by one, in plain and in TLS", arguments: [false, true])
    func segments(encrypted: Bool) async throws {
        let identity = try TestIdentity.shared.get()
        try await TestServer.running(TestServerOptions(tls: encrypted ? identity.server : nil)) { server in
            async let text = RawClient.connected(to: server.port) { client in
                _ = try client.login(tls: encrypted ? identity.client : nil)
                return try client.element().text
            }
            let connection = try await server.connection()
            _ = try await connection.login(as: Self.account)
            connection.sendBytes(Array("<a>密👍é</a>".utf8).map { [$0] })
            #expect(try await text == "密👍é")
        }
    }

    @Test("questions are answered, and departures are told apart")
    func answers() async throws {
        let identity = try TestIdentity.shared.get()
        try await TestServer.running(TestServerOptions(tls: identity.server)) { server in
            for properly in [true, false] {
                async let result = RawClient.connected(to: server.port) { client in
                    _ = try client.login(tls: identity.client)
                    try client.send("<iq type='get' id='q7' to='x@y'><query xmlns='urn:q'/></iq>")
                    let answer = try client.element()
                    if properly {
                        try client.send("</stream:stream>")
                        client.close()
                    }
                    return answer
                }
                let connection = try await server.connection()
                _ = try await connection.login(as: Self.account)
                try await connection.answer("query", "urn:q", with: "<query xmlns='urn:q'>yes</query>")
                let answer = try await result
                #expect(answer["id"] == "q7")
                #expect(answer["from"] == "x@y")
                #expect(answer.children.first?.text == "yes")
                if properly { try await connection.expectStreamEnd() }
                #expect(try await connection.expectDeparture() == properly)
                let late = await #expect(throws: TestServerFailure.self) { try await connection.expect("message") }
                #expect(late?.reason == .ended("the client has left"))
            }
            #expect(server.connectionCount == 2)
        }
    }

    @Test("a server that stops listening refuses, and listens again on the same port")
    func listening() async throws {
        try await TestServer.running { server in
            try await server.stopListening()
            await #expect(throws: (any Error).self) { try await RawClient.connected(to: server.port) { _ in } }
            #expect(server.connectionCount == 0)
            try server.listen()
            async let client: Void = RawClient.connected(to: server.port) { try $0.expectEnd() }
            try await server.connection().drop()
            try await client
            #expect(server.connectionCount == 1)
        }
    }

    @Test("a stalled connection is silent until it resumes")
    func stall() async throws {
        try await TestServer.running { server in
            async let client = RawClient.connected(to: server.port) { client in
                _ = try client.login()
                try client.send("<presence id='heard'/>")
                return try client.element().name
            }
            let connection = try await server.connection()
            _ = try await connection.login(as: Self.account)
            _ = try await connection.expect("presence", id: "heard")
            connection.stall()
            connection.send("<late/>")
            connection.resume()
            #expect(try await client == "late")
        }
    }

    @Test("broken XML of a client is a fact")
    func broken() async throws {
        try await TestServer.running { server in
            async let client: Void = RawClient.connected(to: server.port) { client in
                try client.send("<a><b></a>")
                try client.expectEnd()
            }
            let connection = try await server.connection()
            #expect(try await connection.expectBreak().contains("mismatch"))
            connection.drop()
            try await client
        }
    }
}
