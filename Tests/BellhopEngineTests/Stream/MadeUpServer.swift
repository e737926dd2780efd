import BellhopCrypto
import BellhopEngine
import BellhopXML
import BellhopXMPP

/// A server made of bytes that somebody made up: they are read by the stream parser, its events go to a negotiation, and what the
/// negotiation does about them is checked.
///
/// The first byte chooses what the negotiation is for. Of the others those below `pieces.count` stand for whole pieces of a
/// server's words, so that a login gets on; those from 0xE0 on for pieces of SASL2; those of `Chance` for what happens beside the
/// stream; the rest for themselves.
struct MadeUpServer {
    private enum Chance: UInt8 {
        case tlsFailed = 0xF8
        case disconnected
        case timeLimitReached
        /// What follows comes with the next read.
        case pause
    }

    private static let nonce = "rOprNGfwEbeRWgbNEkqO"
    private static let password = "pencil"
    private static let token = LoginToken(.unbound, secret: "s3cr3tt0k3n")

    private let plan: LoginPlan
    private var negotiation: StreamNegotiation
    private var parser = StreamParser(limits: .beforeLogin)
    private var isEncrypted = false
    /// Whether TLS was asked for by the action that was carried out last.
    private var isShakingHands = false
    private var isOver = false
    private var failure: NegotiationFailure?
    /// Whether the server has said what only one that knows the password can say.
    private var isGenuine = false

    /// Plays the bytes; what the negotiation did that it may never do, in words, or nil.
    ///
    /// A negotiation that believes in TLS from the beginning is wrong about it, and must be found.
    static func finding(_ bytes: [UInt8], believesInTLS: Bool = false) -> String? {
        guard let kind = bytes.first, let plan = plan(kind) else { return nil }
        var server = MadeUpServer(plan)
        return server.play(bytes.dropFirst(), believesInTLS: believesInTLS)
    }

    /// How far the negotiation comes.
    static func end(_ bytes: [UInt8]) -> String? {
        guard let kind = bytes.first, let plan = plan(kind) else { return nil }
        var server = MadeUpServer(plan)
        _ = server.play(bytes.dropFirst(), believesInTLS: false)
        return server.failure.map { "\($0)" } ?? server.negotiation.phase.rawValue
    }

    private init(_ plan: LoginPlan) {
        self.plan = plan
        negotiation = StreamNegotiation(plan)
    }

    private static func plan(_ kind: UInt8) -> LoginPlan? {
        guard let account = try? JID("user@example.test"),
            let credentials = try? Credentials(user: "user", password: password),
            let bound = try? JID("user@example.test/bellhop")
        else { return nil }
        return LoginPlan(
            account: account, credentials: credentials,
            goal: kind & 1 == 0 ? .session(resource: "bellhop") : .registration,
            encryption: kind & 2 == 0 ? .required : .plaintextAllowed, allowsPlain: kind & 4 != 0,
            sasl2: kind & 32 == 0
                ? nil
                : SASL2Wish(
                    userAgent: "8d0e", binds: true, tokens: LoginTokens(kind & 64 == 0 ? [] : [token])),
            proven: kind & 8 == 0 ? nil : .scramSHA1, bounds: SCRAMBounds(least: 1, most: 4),
            resumption: kind & 16 == 0 ? nil : Resumption(id: "broken", handled: 7, bound: bound),
            nonce: nonce, idPrefix: "q")
    }

    private mutating func play(_ bytes: ArraySlice<UInt8>, believesInTLS: Bool) -> String? {
        if let finding = happened(.connected(encrypted: believesInTLS)) { return finding }
        var read: [UInt8] = []
        for byte in bytes {
            switch Chance(rawValue: byte) {
            case .pause:
                if let finding = take(read) { return finding }
                read = []
            case .tlsFailed: if let finding = happened(.tlsFailed) { return finding }
            case .disconnected: if let finding = happened(.disconnected) { return finding }
            case .timeLimitReached: if let finding = happened(.timeLimitReached) { return finding }
            case nil:
                if Int(byte) < Self.pieces.count {
                    read += Self.pieces[Int(byte)]
                } else if byte >= 0xE0, Int(byte - 0xE0) < Self.morePieces.count {
                    read += Self.morePieces[Int(byte - 0xE0)]
                } else {
                    read.append(byte)
                }
            }
        }
        return take(read)
    }

    /// One read: what the parser makes of it, event by event, and the handshake where one was asked for.
    private mutating func take(_ read: [UInt8]) -> String? {
        var events: [StreamEvent] = []
        parser.feed(read.span, into: &events)
        for (index, event) in events.enumerated() {
            if isOver { return nil }
            let isLast = index == events.count - 1
            if case .element(let element) = event, Self.isProof(element) { isGenuine = true }
            if let finding = happened(.received(event)) { return finding }
            guard isShakingHands else { continue }
            isShakingHands = false
            guard isLast, parser.isBetweenElements else { return happened(.receivedBytesAfterProceed) }
            isEncrypted = true
            return happened(.tlsEstablished())
        }
        return nil
    }

    private mutating func happened(_ input: StreamNegotiation.Input) -> String? {
        let wasOver = isOver
        let actions = negotiation.handle(input)
        if wasOver, !actions.isEmpty { return "after its end it does \(actions)" }
        if actions.count > 4 { return "\(actions.count) actions at once" }
        for (index, action) in actions.enumerated() {
            if isOver { return "something behind the last action: \(actions)" }
            if let finding = carryOut(action) { return finding }
            if isOver, index < actions.count - 1 { return "something behind the last action: \(actions)" }
        }
        if negotiation.isOver != isOver { return "it is over, or not, without a word: \(actions)" }
        return nil
    }

    private mutating func carryOut(_ action: StreamNegotiation.Action) -> String? {
        switch action {
        case .openStream(let domain, let from):
            parser = StreamParser(limits: .beforeLogin)
            if domain != "example.test" { return "a stream to \(domain)" }
            if from != nil, !isEncrypted { return "its name in the clear" }
        case .send(let element): return secret(in: element)
        case .startTLS:
            if isEncrypted { return "TLS in TLS" }
            isShakingHands = true
        case .token(.refused): break
        case .token(.granted), .token(.accepted): if !isGenuine { return "a token by a server that proved nothing" }
        case .remember: if !isGenuine { return "keys by a server that proved nothing" }
        case .online(let bound):
            isOver = true
            if bound.jid.isBare || !bound.jid.hasLocal { return "bound to \(bound.jid)" }
            if bound.enabled != nil, plan.sasl2 == nil { return "stream management that nobody asked for" }
            return session(bound)
        case .resumed(let bound, _):
            isOver = true
            if plan.resumption == nil || bound.jid != plan.resumption?.bound { return "resumed as \(bound.jid)" }
            return session(bound)
        case .resumptionFailed: if plan.resumption == nil { return "a resumption that nobody asked for" }
        case .registered:
            if !plan.goal.registers { return "an account that nobody asked for" }
            isOver = plan.goal.resource == nil
        case .ask: if !plan.goal.registers { return "a question about an account that nobody asked for" }
        case .fail(let failure):
            isOver = true
            self.failure = failure
            _ = failure.parting?.element
            _ = RetryPolicy.verdict(of: failure, everOnline: false, redirects: 0)
        }
        return nil
    }

    private func session(_ bound: Bound) -> String? {
        if plan.goal == .registration { return "a session that nobody asked for" }
        if bound.encrypted != isEncrypted { return "TLS is said to be \(bound.encrypted)" }
        if !isEncrypted, plan.encryption == .required { return "a session in the clear" }
        if case .token = bound.method, !isGenuine { return "online with a token at a server that does not know it" }
        if case .sasl(let mechanism, _) = bound.method, mechanism.isSCRAM, !isGenuine {
            return "online at a server that proved nothing"
        }
        return nil
    }

    /// What of the password, or at all, may not leave now.
    private func secret(in element: Element) -> String? {
        let xml = element.serialized(in: "jabber:client")
        if !isEncrypted, plan.encryption == .required, !element.is("starttls", "urn:ietf:params:xml:ns:xmpp-tls") {
            return "in the clear: \(xml)"
        }
        if xml.contains(Self.token.secret) { return "the token in \(xml)" }
        let isLogin = element.is("auth", Self.old) || element.is("authenticate", Self.new)
        let response = element.is("authenticate", Self.new) ? element.child("initial-response", Self.new) : element
        if isLogin, element["mechanism"] == "PLAIN" {
            if !plan.allowsPlain || !isEncrypted || plan.proven != nil { return "PLAIN: \(xml)" }
        } else if element.namespace == Self.old || element.namespace == Self.new,
            String(decoding: Base64.decode(response?.text ?? "") ?? [], as: UTF8.self).contains(Self.password)
        {
            return "the password in \(xml)"
        }
        if xml.contains(Self.password), plan.goal != .registration { return "the password in \(xml)" }
        return nil
    }
}

/// A server's words, for the low bytes.
extension MadeUpServer {
    private static let header =
        "<s:stream xmlns='jabber:client' xmlns:s='http://etherx.jabber.org/streams' version='1.0' id='x'>"
    private static let tls = "xmlns='urn:ietf:params:xml:ns:xmpp-tls'"
    private static let sasl = "xmlns='urn:ietf:params:xml:ns:xmpp-sasl'"
    private static let old = "urn:ietf:params:xml:ns:xmpp-sasl"
    private static let new = "urn:xmpp:sasl:2"
    private static let bind = "xmlns='urn:ietf:params:xml:ns:xmpp-bind'"
    private static let sm = "xmlns='urn:xmpp:sm:3'"

    private static func sasl(_ name: String, _ message: String) -> String {
        "<\(name) \(sasl)>\(Base64.encode(Array(message.utf8)))</\(name)>"
    }

    private static let greeting = "r=\(nonce)x,s=QSXCR+Q6sek8bf92,i=4"

    /// What a server says in the end that knows the password.
    private static let signature: String = {
        let unproved = "c=biws,r=\(nonce)x"
        let transcript = Array("n=user,r=\(nonce),\(greeting),\(unproved)".utf8)
        let salt = Base64.decode("QSXCR+Q6sek8bf92") ?? []
        let salted = Hash.sha1.pbkdf2(password: Array(password.utf8), salt: salt, iterations: 4)
        let key = Hash.sha1.hmac(key: salted, Array("Server Key".utf8))
        return "v=\(Base64.encode(Hash.sha1.hmac(key: key, transcript)))"
    }()

    private static let proofs: Set<String> = [
        Base64.encode(Array(signature.utf8)), tokenProof,
    ]

    private static let tokenProof = Base64.encode(
        Hash.sha256.hmac(key: Array(token.secret.utf8), Array("Responder".utf8)))

    private static func isProof(_ element: Element) -> Bool {
        proofs.contains(element.text) || element.child("additional-data", new).map { proofs.contains($0.text) } ?? false
    }

    static let pieces: [[UInt8]] = [
        header, "</s:stream>", "<s:features>", "</s:features>", "<starttls \(tls)/>", "<proceed \(tls)/>",
        "<failure \(tls)/>", "<mechanisms \(sasl)>", "</mechanisms>", "<mechanism>SCRAM-SHA-1</mechanism>",
        "<mechanism>PLAIN</mechanism>", "<bind \(bind)/>", "<session xmlns='urn:ietf:params:xml:ns:xmpp-session'/>",
        "<sm \(sm)/>", "<register xmlns='http://jabber.org/features/iq-register'/>",
        sasl("challenge", greeting), sasl("challenge", signature), sasl("success", signature), "<success \(sasl)/>",
        sasl("challenge", "r=\(nonce)x,s=QSXCR+Q6sek8bf92,i=2147483648"), sasl("success", "v=AAAA"),
        "<failure \(sasl)><not-authorized/></failure>", "<failure \(sasl)><temporary-auth-failure/></failure>",
        "<iq type='result' id='q-bind'>", "<iq type='error' id='q-bind'>", "<iq type='result' id='q-session'/>",
        "<bind \(bind)><jid>user@example.test/bellhop</jid></bind>", "</iq>", "<resumed \(sm) h='3' previd='broken'/>",
        "<failed \(sm) h='3'/>", "<iq type='result' id='q-form'>", "<iq type='result' id='q-register'/>",
        "<query xmlns='jabber:iq:register'>", "</query>", "<username/><password/>", "<registered/>",
        "<x xmlns='jabber:x:data' type='form'>", "</x>", "<field var='username'/>",
        "<field var='password' type='text-private'/>",
        "<s:error>", "</s:error>", "<conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>",
        "<see-other-host xmlns='urn:ietf:params:xml:ns:xmpp-streams'>h:1</see-other-host>",
        "<error type='cancel'><conflict xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>", "<message>",
        "</message>", " from='example.test'", "<a b='", "'/>", " ", "<challenge \(sasl)>", "</challenge>",
    ].map { Array($0.utf8) }

    private static func data(_ message: String) -> String { "<additional-data>\(message)</additional-data>" }

    static let morePieces: [[UInt8]] = [
        "<authentication xmlns='\(new)'>", "</authentication>", "<inline>", "</inline>",
        "<bind xmlns='urn:xmpp:bind:0'><inline><feature var='urn:xmpp:sm:3'/></inline></bind>",
        "<fast xmlns='urn:xmpp:fast:0'><mechanism>HT-SHA-256-NONE</mechanism></fast>",
        "<challenge xmlns='\(new)'>\(Base64.encode(Array(greeting.utf8)))</challenge>",
        "<success xmlns='\(new)'>", "</success>", data(Base64.encode(Array(signature.utf8))), data(tokenProof),
        "<authorization-identifier>user@example.test/bellhop~1</authorization-identifier>",
        "<authorization-identifier>mallory@example.test/x</authorization-identifier>",
        "<bound xmlns='urn:xmpp:bind:0'><enabled \(sm) id='i' resume='true'/></bound>",
        "<bound xmlns='urn:xmpp:bind:0'/>",
        "<token xmlns='urn:xmpp:fast:0' token='n3w' expiry='2026-12-12T00:00:00Z'/>",
        "<failure xmlns='\(new)'><not-authorized \(sasl)/></failure>",
        "<continue xmlns='\(new)'><tasks><task>X</task></tasks></continue>",
    ].map { Array($0.utf8) }

    /// The whole of a login, of a resumption and of a registration: where made-up servers begin.
    static let sensible: [[UInt8]] = [
        [
            0, 0, 2, 4, 3, 0xFB, 5, 0xFB, 0, 2, 7, 9, 10, 8, 3, 0xFB, 15, 0xFB, 17, 0xFB, 0, 2, 11, 12, 3, 0xFB, 23, 26,
            27, 0xFB, 25,
        ],
        [4, 0, 2, 4, 3, 0xFB, 5, 0xFB, 0, 2, 7, 10, 8, 3, 0xFB, 18, 0xFB, 0, 2, 11, 3, 0xFB, 23, 26, 27],
        [
            16, 0, 2, 4, 3, 0xFB, 5, 0xFB, 0, 2, 7, 9, 8, 3, 0xFB, 15, 0xFB, 16, 0xFB, 18, 0xFB, 0, 2, 11, 13, 3, 0xFB,
            28,
        ],
        [
            16, 0, 2, 4, 3, 0xFB, 5, 0xFB, 0, 2, 7, 9, 8, 3, 0xFB, 15, 0xFB, 17, 0xFB, 0, 2, 11, 13, 3, 0xFB, 29, 0xFB,
            23, 26, 27,
        ],
        [1, 0, 2, 4, 3, 0xFB, 5, 0xFB, 0, 2, 14, 3, 0xFB, 30, 32, 34, 33, 27, 0xFB, 31],
        [2, 0, 2, 7, 9, 8, 3, 0xFB, 15, 0xFB, 17, 0xFB, 0, 2, 11, 3, 0xFB, 23, 26, 27],
        [
            32, 0, 2, 4, 3, 0xFB, 5, 0xFB, 0, 2, 0xE0, 9, 0xE2, 0xE4, 0xE5, 13, 0xE3, 0xE1, 3, 0xFB, 0xE6, 0xFB, 0xE7,
            0xE9, 0xEB, 0xED, 0xEF, 0xE8, 2, 3,
        ],
        [
            96, 0, 2, 4, 3, 0xFB, 5, 0xFB, 0, 2, 0xE0, 9, 0xE2, 0xE4, 0xE5, 13, 0xE3, 0xE1, 3, 0xFB, 0xE7, 0xEA, 0xEB,
            0xEE, 0xE8, 2, 3,
        ],
        [
            112, 0, 2, 4, 3, 0xFB, 5, 0xFB, 0, 2, 0xE0, 9, 0xE2, 0xE4, 0xE5, 13, 0xE3, 0xE1, 3, 0xFB, 0xF0, 0xFB, 0xE6,
            0xFB, 0xE7, 0xE9, 0xEB, 28, 0xE8,
        ],
    ]
}
