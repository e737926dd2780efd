public import Bellhop
internal import BellhopTestServer
internal import Synchronization

extension WireStage {
    /// Somebody who can write to the bot, and hears what it says to them.
    public struct Person: Sendable {
        /// Their bare address.
        public let address: JID
        private let stage: WireStage

        init(_ address: JID, _ stage: WireStage) {
            self.address = address
            self.stage = stage
        }

        /// Says something to the bot, which gets it now or when it comes online; returns the message's id.
        @discardableResult
        public func say(_ text: String, id: String? = nil) async throws -> String {
            let account = try stage.account
            return stage.service.host { [address] host, moment in
                host.order(at: moment) { $0.say(text, from: address, to: account, id: id, at: moment) }
            }
        }

        /// The next message of the bot that this has not returned yet, now or later; a repetition under the same id is none.
        public func hears() async throws -> String { try await hearsReply().body }

        /// The same with its id.
        public func hearsReply() async throws -> Reply {
            let bare = address.bareText
            let place = stage.read.withLock { read in
                let place = read[bare, default: 0]
                read[bare] = place + 1
                return place
            }
            do {
                return try await stage.wait(
                    for: StagePhrases.nextMessage(to: bare), instead: { stage.standing($0) }
                ) { host -> Reply? in
                    guard let person = host.server.people[bare], place < person.news.count else { return nil }
                    return Reply(person.heard[person.news[place]])
                }
            } catch {
                stage.read.withLock { $0[bare] = place }
                throw error
            }
        }

        /// Everything that the bot has said to them, in order, repetitions as well, whether `hears` has returned it or not.
        public var heard: [Reply] {
            let bare = address.bareText
            return stage.service.host { host, _ in host.server.people[bare]?.heard.map(Reply.init) ?? [] }
        }

        /// Asks to see the bot's presence.
        public func subscribe() async throws { try send("subscribe") }

        /// Takes that back.
        public func unsubscribe() async throws { try send("unsubscribe") }

        /// Whether they were let in: the bot's account has accepted their request.
        public var isAccepted: Bool {
            let bare = address.bareText
            return stage.service.host { host, _ in
                host.server.people[bare]?.seen.contains { $0["type"] == "subscribed" } == true
            }
        }

        private func send(_ type: String) throws {
            let account = try stage.account
            stage.service.host { [address] host, moment in
                host.order(at: moment) { server in
                    server.send(Self.presence(type, to: account), from: address, at: moment)
                }
            }
        }

        private static func presence(_ type: String, to account: JID) -> Element {
            Element("presence", namespace: "jabber:client").with("type", type).with("to", account.description)
        }
    }

    /// What the bot said to a person.
    public struct Reply: Equatable, Sendable {
        public var body: String
        /// Nil for a message without one.
        public var id: String?

        init(_ message: HeardMessage) {
            body = message.body
            id = message.id
        }
    }

    /// Somebody of this name on the bot's own server, or with this address: a contact of the bot, as if accepted long ago.
    public func person(_ name: String) throws -> Person {
        let person = try stranger(name)
        service.host { host, moment in
            host.order(at: moment) { server in
                guard !server.roster(of: Self.account).contains(where: { $0["jid"] == person.address.bareText }) else {
                    return
                }
                server.befriend(person.address, Self.account, at: moment)
            }
        }
        return person
    }

    /// The same, but nobody whom the bot knows.
    public func stranger(_ name: String) throws -> Person {
        let text = name.contains("@") ? name : name + "@" + StageIdentity.domain
        guard let jid = try? JID(text), jid.local != nil, jid.bareText != Self.account else {
            throw StageError.noName(name)
        }
        let person = Person(jid.bare, self)
        service.host { host, moment in host.order(at: moment) { $0.add(jid) } }
        return person
    }

    var account: JID {
        get throws { try JID(Self.account) }
    }
}
