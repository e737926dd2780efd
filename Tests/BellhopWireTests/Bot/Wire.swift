import BellhopXML

@testable import BellhopTestServer

/// One connection as a script sees it: everything that the bot sent, in order, and what of it nobody has asked for.
///
/// Answers roster changes like a server, so that scripts need not.
final class Wire {
    let connection: TestConnection
    /// Every stanza of the bot, in order, answers to our own pings left out.
    private(set) var sent: [Element] = []
    private var unread: [Element] = []
    /// Whether the bot has ended its side of the connection.
    private(set) var hasEnded = false
    private var pings = 0
    /// Says at once what this peer answers to every message of the bot.
    var autoReply: (jid: String, body: String)?
    private var autoReplies = 0
    /// Off where the server of the script answers them itself.
    var answersRosterChanges = true

    init(_ connection: TestConnection) { self.connection = connection }

    /// Takes the next stanza that fits, now or later; those before it stay for others.
    @discardableResult
    func expect(_ wanted: String, where fits: (Element) -> Bool) async throws -> Element {
        if let index = unread.firstIndex(where: fits) { return unread.remove(at: index) }
        while true {
            let stanza = try await next(wanted)
            if fits(stanza) { return stanza }
            unread.append(stanza)
        }
    }

    /// The next message with this body.
    @discardableResult
    func expect(body: String, to: String? = nil) async throws -> Element {
        try await expect("a message that says \(body)") { $0.body == body && (to == nil || $0["to"] == to) }
    }

    private func next(_ wanted: String) async throws -> Element {
        while true {
            let fact = try await connection.facts.take(wanted, patience: .seconds(30)) { $0 }
            guard case .stanza(let stanza) = fact else { continue }
            sent.append(stanza)
            answer(stanza)
            return stanza
        }
    }

    /// Takes all that the bot sends until it ends its side.
    func readToEnd() async throws {
        while !hasEnded {
            switch try await connection.facts.take("the bot's departure", patience: .seconds(30), { $0 }) {
            case .stanza(let stanza):
                sent.append(stanza)
                unread.append(stanza)
            case .left: hasEnded = true
            case .opened, .closedStream, .secured, .broke, .handedOver: continue
            }
        }
    }

    private func answer(_ stanza: Element) {
        if answersRosterChanges, stanza.name == "iq", stanza["type"] == "set",
            stanza.child("query", "jabber:iq:roster") != nil
        {
            connection.reply(to: stanza)
        }
        guard let autoReply, stanza.name == "message", stanza["to"] == autoReply.jid else { return }
        autoReplies += 1
        connection.send(
            Element("message", namespace: "jabber:client").with("from", autoReply.jid)
                .with("to", BotConfiguration.bound).with("type", "chat").with("id", "auto-\(autoReplies)")
                .with(Element("body", namespace: "jabber:client").with(text: autoReply.body))
                .serialized(in: "jabber:client"))
    }

    /// Returns when the bot has handled everything that was sent to it before, and we have read what it then sent.
    func settle() async throws {
        pings += 1
        let id = "settle-\(connection.number)-\(pings)"
        connection.send("<iq type='get' from='bots.example.test' id='\(id)'><ping xmlns='urn:xmpp:ping'/></iq>")
        try await expect("an answer to a ping") { $0.name == "iq" && $0["id"] == id }
        sent.removeAll { $0.name == "iq" && $0["id"] == id }
    }

    /// The same, and no handler runs any more, and no peer has anything left to answer.
    func settle(_ bot: BotUnderTest) async throws {
        var count = -1
        while count != sent.count {
            count = sent.count
            try await settle()
            try await bot.idle()
            try await settle()
        }
    }

    /// What nobody has asked for; answers to IQs are nobody's business.
    var unasked: [Element] {
        unread.filter { $0.name != "iq" || $0["type"] == "get" || $0["type"] == "set" }
    }

    /// The messages that the bot sent, in order.
    var messages: [Element] { sent.filter { $0.name == "message" } }

    /// Ends the stream from the bot's side on, as a server does when a client says goodbye.
    func answerGoodbye() async throws {
        try await connection.facts.take("the end of the stream", patience: .seconds(30)) {
            $0 == .closedStream ? () : nil
        }
        connection.close()
    }
}

extension Element {
    var body: String? { child("body", "jabber:client")?.text }
}
