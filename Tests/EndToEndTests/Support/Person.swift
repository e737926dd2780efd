import BellhopCrypto
import BellhopTransport
import BellhopXML
import BellhopXMPP
import Synchronization
import Testing

/// Somebody on the other side: a client whose every stanza the test writes itself, and which answers nothing by itself.
final class Person: Sendable {
    /// The bare JID.
    let jid: String
    let resource: String
    /// What the server sent since the login, in order.
    let stanzas = Timeline<Element>()

    private enum Input: Sendable {
        case write(String)
        case end
    }

    private let inbox: Inbox<Input>
    private let lastNumber = Mutex(0)

    private init(jid: String, resource: String, inbox: Inbox<Input>) {
        self.jid = jid
        self.resource = resource
        self.inbox = inbox
    }

    var fullJID: String { "\(jid)/\(resource)" }

    static func password(of name: String) -> String { "the password of \(name)" }

    /// Runs the body with a person who is logged in and online; the account is made first unless it is there.
    static func online<Result>(
        _ name: String, at server: RealServer, resource: String = "test", password: String? = nil,
        isRegistered: Bool = false, priority: Int = 0, _ body: (Person) async throws -> Result
    ) async throws -> Result {
        let login = Login(
            name: name, password: password ?? Self.password(of: name), resource: resource, registers: !isRegistered,
            priority: priority)
        return try await connected(jid: "\(name)@\(server.domain)", resource: resource, body) { wakeup in
            try login.perform(at: server, wakeup: wakeup)
        }
    }

    /// Runs the body with a component: a part of the server that speaks for everybody at a domain of its own.
    static func component<Result>(
        at server: RealServer, _ body: (Person) async throws -> Result
    ) async throws -> Result {
        guard let component = server.component else { throw RawStreamFault(description: "start it with .component") }
        return try await connected(jid: component.domain, resource: "", body) { wakeup in
            let stream = try RawStream(host: server.host, port: component.port, wakeup: wakeup)
            let root = try stream.open(to: component.domain, namespace: "jabber:component:accept")
            let proof = Hash.sha1.digest(Array(((root["id"] ?? "") + component.secret).utf8))
            try stream.write("<handshake>\(proof.map(Self.hexadecimal).joined())</handshake>")
            _ = try stream.element()
            return stream
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }

    private static func connected<Result>(
        jid: String, resource: String, _ body: (Person) async throws -> Result,
        _ connect: @escaping @Sendable (Wakeup) throws -> RawStream
    ) async throws -> Result {
        let wakeup = try Wakeup()
        let person = Person(jid: jid, resource: resource, inbox: Inbox(wakeup: wakeup))
        let (ready, isReady) = AsyncThrowingStream<Never, any Error>.makeStream()
        try LoopThread.start("person") {
            do {
                let stream = try connect(wakeup)
                isReady.finish()
                try person.live(on: stream)
            } catch {
                isReady.finish(throwing: error)
            }
            person.stanzas.close()
        }
        for try await _ in ready {}
        defer { person.inbox.post(.end) }
        return try await body(person)
    }

    private func live(on stream: RawStream) throws {
        while true {
            for input in inbox.take() {
                switch input {
                case .write(let xml): try stream.write(xml)
                case .end:
                    try stream.write("</stream:stream>")
                    return stream.finish()
                }
            }
            guard let events = try stream.whatCame() else { return }
            for case .element(let element) in events { stanzas.append(element) }
        }
    }

    // MARK: What a person does

    /// Writes this to the stream.
    func send(_ xml: String) { inbox.post(.write(xml)) }

    /// An id that this person has not used.
    func nextID() -> String {
        lastNumber.withLock { number in
            number += 1
            return "\(resource)-\(number)"
        }
    }

    /// Sends a chat message; its id, which is its thread, too.
    @discardableResult
    func say(_ body: String, to bot: String) -> String {
        let id = nextID()
        let message = Element("message", namespace: Namespace.client)
            .with("to", bot).with("type", "chat").with("id", id)
            .with(Element("body", namespace: Namespace.client).with(text: body))
            .with(Element("thread", namespace: Namespace.client).with(text: id))
        send(message.serialized(in: Namespace.client))
        return id
    }

    /// Says something and returns the answer to it, which comes in the same thread.
    func ask(_ body: String, of bot: String) async throws -> String? {
        let id = say(body, to: bot)
        return try await message(inThread: id)
    }

    /// The body of the first message in the thread.
    func message(inThread thread: String) async throws -> String? {
        try await stanzas.first { $0.name == "message" && $0.thread == thread }?.body
    }

    /// The first message with such a body, from the given place on.
    func message(containing words: String, from start: Int = 0) async throws -> Element? {
        try await stanzas.first(from: start) { $0.name == "message" && $0.body?.contains(words) == true }
    }

    /// The first presence of this type from that address, from the given place on; nil stands for "available".
    @discardableResult
    func presence(_ type: String?, from jid: String, from start: Int = 0) async throws -> Element? {
        try await stanzas.first(from: start) {
            $0.name == "presence" && $0["type"] == type
                && $0["from"]?.split(separator: "/").first.map(String.init) == jid
        }
    }

    // MARK: What a person must hear

    func asks(
        _ question: String, of bot: String, expecting answer: String, at place: SourceLocation = #_sourceLocation
    ) async throws {
        let heard = try await ask(question, of: bot)
        #expect(heard == answer, sourceLocation: place)
    }

    func hears(_ answer: String, inThread thread: String, at place: SourceLocation = #_sourceLocation) async throws {
        let heard = try await message(inThread: thread)
        #expect(heard == answer, sourceLocation: place)
    }

    func hears(_ words: String, from start: Int = 0, at place: SourceLocation = #_sourceLocation) async throws {
        let heard = try await message(containing: words, from: start)
        #expect(heard != nil, "nobody said \(words)", sourceLocation: place)
    }

    func sees(
        _ type: String?, from jid: String, from start: Int = 0, at place: SourceLocation = #_sourceLocation
    ) async throws {
        let seen = try await presence(type, from: jid, from: start)
        #expect(seen != nil, "no such presence from \(jid)", sourceLocation: place)
    }

    // MARK: Contacts and questions

    /// Asks to see the presence of somebody.
    func subscribe(to jid: String) { send("<presence type='subscribe' to='\(jid)'/>") }

    /// Asks the server something, and waits for its answer.
    func request(_ kind: String, _ payload: String, to peer: String? = nil) async throws -> Element? {
        let id = nextID()
        let to = peer.map { " to='\($0)'" } ?? ""
        send("<iq type='\(kind)' id='\(id)'\(to)>\(payload)</iq>")
        return try await stanzas.first { $0.name == "iq" && $0["id"] == id }
    }

    /// What the roster says about somebody, as `both`, `to`, `from`, `none`, or nil.
    func subscription(to jid: String) async throws -> String? {
        let roster = try await request("get", "<query xmlns='\(Namespace.roster)'/>")
        let items = roster?.children.first?.children ?? []
        return items.first { $0["jid"] == jid }?["subscription"]
    }

    /// Returns when the server knows that the bot is there: the bot's answer comes behind its presence.
    ///
    /// A bot says that it is online as its presence leaves. What is written to it in that moment goes to ejabberd's offline
    /// storage, and may get there just after ejabberd has looked into it for the bot; then it waits for the next login.
    func finds(_ bot: TestBot) async throws {
        _ = try await request("get", "<ping xmlns='urn:xmpp:ping'/>", to: bot.jid + "/bellhop")
    }

    /// Returns when the server has taken everything that was written so far.
    func settled() async throws { _ = try await request("get", "<ping xmlns='urn:xmpp:ping'/>", to: domain) }

    private var domain: String { jid.split(separator: "@").last.map(String.init) ?? jid }
}

extension Element {
    /// The body of a message stanza.
    var body: String? { children.first { $0.name == "body" }?.text }
    /// The thread of a message stanza.
    var thread: String? { children.first { $0.name == "thread" }?.text }
}
