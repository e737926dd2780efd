import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("A login that is cut after any byte")
struct LoginCutTests {
    /// What a login comes to.
    enum Goal: Sendable, CaseIterable {
        case binding, resumption
        /// The server has forgotten the stream, and binds a resource instead.
        case bindingAfterAll
    }

    /// What the server says in a whole login, one text for each stream.
    private static func streams(_ goal: Goal) -> [String] {
        let bound = """
            <iq type='result' id='q-bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>\
            <jid>alice@example.test/bellhop</jid></bind></iq><iq type='result' id='q-session'/>
            """
        let end =
            switch goal {
            case .binding: bound
            case .resumption: "<resumed xmlns='urn:xmpp:sm:3' h='7' previd='broken'/>"
            case .bindingAfterAll:
                "<failed xmlns='urn:xmpp:sm:3' h='7'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>"
                    + bound
            }
        return [
            opening("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
                + "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
            opening(SASL.mechanisms("SCRAM-SHA-1", "SCRAM-SHA-256"))
                + SASL.element("challenge", SCRAMVector.prosody.serverFirst)
                + SASL.element("success", SCRAMVector.prosody.serverFinal),
            opening(
                """
                <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/><session xmlns='urn:ietf:params:xml:ns:xmpp-session'/>\
                <sm xmlns='urn:xmpp:sm:3'/>
                """) + end,
        ]
    }

    private static func opening(_ features: String) -> String {
        """
        <?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' \
        from='example.test' id='s1' version='1.0'><stream:features>\(features)</stream:features>
        """
    }

    /// All that one attempt leaves to the next.
    private struct Left: Equatable {
        var keys: SCRAMKeys?
        var isStreamLost = false
    }

    /// One attempt, as far as it has come.
    private struct Attempt {
        var machine: StreamNegotiation
        var left: Left
        var failures: [NegotiationFailure] = []
        var bound: JID?
        /// Whether the stream is over and the handshake is not: no stream can say anything there.
        var isHandshaking = false
        private let streams: [String]

        init(_ goal: Goal, _ left: Left = Left()) throws {
            let resumes = goal != .binding && !left.isStreamLost
            machine = StreamNegotiation(try plan(remembered: left.keys, resumes: resumes))
            streams = LoginCutTests.streams(left.isStreamLost ? .binding : goal)
            self.left = left
        }

        mutating func happened(_ input: StreamNegotiation.Input) {
            for action in machine.handle(input) {
                switch action {
                case .openStream, .send, .registered, .token, .ask: break
                case .startTLS: isHandshaking = true
                case .remember(let keys): left.keys = keys
                case .online(let bound), .resumed(let bound, _): self.bound = bound.jid
                case .resumptionFailed: left.isStreamLost = true
                case .fail(let failure): failures.append(failure)
                }
            }
        }

        /// Lets the server say all of it, and looks at the attempt after each byte.
        mutating func run(_ look: (Attempt) throws -> Void = { _ in }) throws {
            happened(.connected(encrypted: false))
            for stream in streams {
                let parser = StreamParser()
                for byte in stream.utf8 {
                    try look(self)
                    let bytes = [byte]
                    var events: [StreamEvent] = []
                    parser.feed(bytes.span, into: &events)
                    for event in events { happened(.received(event)) }
                }
                guard isHandshaking else { continue }
                try look(self)
                isHandshaking = false
                happened(.tlsEstablished())
            }
        }
    }

    @Test("it fails once and in order, another attempt is wanted, and that one gets through", arguments: Goal.allCases)
    func cut(goal: Goal) throws {
        var whole = try Attempt(goal)
        var phases: Set<String> = []
        var count = 0
        var seen: [Left] = []
        try whole.run { attempt in
            try #require(attempt.bound == nil && attempt.failures.isEmpty, "after \(count) bytes")
            var ends: [StreamNegotiation.Input] = [.disconnected, .timeLimitReached]
            ends.append(attempt.isHandshaking ? .tlsFailed : .received(.closed))
            for end in ends {
                var cut = attempt
                cut.happened(end)
                let failure = try #require(cut.failures.first, "\(end) after \(count) bytes")
                #expect(cut.failures.count == 1 && cut.machine.isOver && cut.bound == nil)
                switch failure {
                case .closed(let phase), .timeLimitReached(let phase): phases.insert(phase.rawValue)
                case .tlsFailed: #expect(end == .tlsFailed)
                default: Issue.record("\(failure) after \(count) bytes")
                }
                for everOnline in [false, true] {
                    let verdict = RetryPolicy.verdict(of: failure, everOnline: everOnline, redirects: 0)
                    #expect(verdict == .retry, "\(end) after \(count) bytes")
                }
            }
            // Whatever it leaves, the next gets through.
            if !seen.contains(attempt.left) {
                seen.append(attempt.left)
                var next = try Attempt(goal, attempt.left)
                try next.run()
                #expect(next.failures.isEmpty && next.bound?.description == "alice@example.test/bellhop")
            }
            count += 1
        }
        #expect(whole.failures.isEmpty && whole.bound?.description == "alice@example.test/bellhop")
        #expect(count > 1_000 && seen.count == (goal == .bindingAfterAll ? 3 : 2))
        var all: Set<String> = ["opening", "features", "startTLS", "handshake", "login"]
        if goal != .binding { all.insert("resumption") }
        if goal != .resumption { all.formUnion(["binding", "session"]) }
        #expect(phases == all)
    }
}
