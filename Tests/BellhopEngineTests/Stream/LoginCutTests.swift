import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

@Suite("A login that is cut after any byte")
struct LoginCutTests {
    /// What the server says in a whole login, one text for each stream.
    private static let streams = [
        opening("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>")
            + "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
        opening(SASL.mechanisms("SCRAM-SHA-1", "SCRAM-SHA-256"))
            + SASL.element("challenge", SCRAMVector.prosody.serverFirst)
            + SASL.element("success", SCRAMVector.prosody.serverFinal),
        opening(
            """
            <bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/><session xmlns='urn:ietf:params:xml:ns:xmpp-session'/>
            """)
                + """
                <iq type='result' id='q-bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>\
                <jid>alice@example.test/bellhop</jid></bind></iq><iq type='result' id='q-session'/>
                """,
    ]

    private static func opening(_ features: String) -> String {
        """
        <?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' \
        from='example.test' id='s1' version='1.0'><stream:features>\(features)</stream:features>
        """
    }

    /// One attempt, as far as it has come.
    private struct Attempt {
        var machine: StreamNegotiation
        var keys: SCRAMKeys?
        var failures: [NegotiationFailure] = []
        var bound: JID?
        /// Whether the stream is over and the handshake is not: no stream can say anything there.
        var isHandshaking = false

        init(remembered: SCRAMKeys? = nil) throws { machine = StreamNegotiation(try plan(remembered: remembered)) }

        mutating func happened(_ input: StreamNegotiation.Input) {
            for action in machine.handle(input) {
                switch action {
                case .openStream, .send, .registered: break
                case .startTLS: isHandshaking = true
                case .remember(let keys): self.keys = keys
                case .online(let bound): self.bound = bound.jid
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
                happened(.tlsEstablished)
            }
        }
    }

    @Test("it fails once and in order, another attempt is wanted, and that one gets through")
    func cut() throws {
        var whole = try Attempt()
        var phases: Set<String> = []
        var count = 0
        var keys: [SCRAMKeys?] = []
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
            // All that one attempt leaves to the next are the keys: for each that there are, the next gets through.
            if !keys.contains(attempt.keys) {
                keys.append(attempt.keys)
                var next = try Attempt(remembered: attempt.keys)
                try next.run()
                #expect(next.failures.isEmpty && next.bound?.description == "alice@example.test/bellhop")
            }
            count += 1
        }
        #expect(whole.failures.isEmpty && whole.bound?.description == "alice@example.test/bellhop")
        #expect(count > 1_000 && keys.count == 2)
        let all: Set<String> = ["opening", "features", "startTLS", "handshake", "login", "binding", "session"]
        #expect(phases.isSuperset(of: all), "\(all.subtracting(phases))")
    }
}
