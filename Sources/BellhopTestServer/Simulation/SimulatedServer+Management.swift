internal import BellhopXML
internal import BellhopXMPP

/// Acknowledgements and resumption, as the server's side has them (XEP-0198).
extension SimulatedServer {
    private static func element(_ name: String) -> Element {
        Element(name, namespace: Namespace.streamManagement)
    }

    private static func failed(_ condition: String, h: UInt32? = nil) -> Element {
        element("failed").with("h", h.map { "\($0)" })
            .with(Element(condition, namespace: Namespace.stanzaErrors))
    }

    // MARK: before a session

    /// `<resume/>` belongs here, `<enable/>` does not.
    mutating func managed(_ element: Element, before standing: Standing, on connection: Int) {
        guard options.streamManagement != nil, let account = standing.account else {
            return end(connection, StreamError(.unsupportedStanzaType))
        }
        switch element.name {
        case "resume": resume(element, of: account, on: connection)
        case "enable": effects.append(.write(connection, Self.failed("unexpected-request")))
        default: end(connection, StreamError(.unsupportedStanzaType))
        }
    }

    private mutating func resume(_ request: Element, of account: String, on connection: Int) {
        let id = request["previd"] ?? ""
        guard let h = Self.count(request["h"]) else {
            counts.failedResumptions += 1
            return effects.append(.write(connection, Self.failed("bad-request")))
        }
        guard let index = sessions.firstIndex(where: { $0.management?.id == id && $0.account == account }) else {
            counts.failedResumptions += 1
            let remembered = options.streamManagement?.remembersExpired == true ? expired[account + "/" + id] : nil
            return effects.append(.write(connection, Self.failed("item-not-found", h: remembered)))
        }
        if let old = sessions[index].connection {
            // The server did not notice the loss; whoever comes back shows it.
            effects.append(.write(old, StreamError(.conflict).element))
            effects.append(.close(old))
            streams[old]?.phase = .ended
        }
        sessions[index].connection = connection
        sessions[index].hibernatesUntil = nil
        streams[connection]?.phase = .bound(sessions[index].number)
        guard acknowledge(h, index, on: connection), let management = sessions[index].management else { return }
        counts.resumptions += 1
        effects.append(
            .write(
                connection,
                Self.element("resumed").with("previd", id).with(
                    "h", "\(tell(management.handled, index, resumes: true))")))
        for kept in management.unacknowledged { effects.append(.write(connection, kept.stanza)) }
        ask(index)
    }

    // MARK: in a session

    /// An element of stream management on a live stream.
    mutating func managed(_ element: Element, in index: Int, on connection: Int) {
        guard let rules = options.streamManagement else {
            return end(connection, StreamError(.unsupportedStanzaType))
        }
        switch element.name {
        case "enable":
            guard sessions[index].management == nil else {
                return effects.append(.write(connection, Self.failed("unexpected-request")))
            }
            enable(element, rules, index, on: connection)
        case "resume": effects.append(.write(connection, Self.failed("unexpected-request")))
        case "r":
            guard let management = sessions[index].management else { return }
            effects.append(
                .write(connection, Self.element("a").with("h", "\(tell(management.handled, index))")))
        case "a":
            guard sessions[index].management != nil else { return }
            sessions[index].management?.isAsking = false
            guard let h = Self.count(element["h"]) else { return end(connection, StreamError(.undefinedCondition)) }
            if acknowledge(h, index, on: connection) { ask(index) }
        default: end(connection, StreamError(.unsupportedStanzaType))
        }
    }

    private mutating func enable(
        _ request: Element, _ rules: SimulatedServerOptions.StreamManagement, _ index: Int, on connection: Int
    ) {
        let isWanted = request["resume"] == "true" || request["resume"] == "1"
        let management = SimulatedSession.Management(
            id: random.token(), isResumable: isWanted && rules.isResumable)
        sessions[index].management = management
        var answer = Self.element("enabled")
        if management.isResumable {
            answer = answer.with("id", management.id).with("resume", "true")
                .with("max", "\(rules.hibernation.components.seconds)").with("location", rules.location)
        }
        effects.append(.write(connection, answer))
    }

    /// Takes what the client has acknowledged off the list; a count that cannot be ends the stream (section 4).
    private mutating func acknowledge(_ h: UInt32, _ index: Int, on connection: Int) -> Bool {
        guard let management = sessions[index].management else { return false }
        let count = Int(h &- management.acknowledged)
        guard count <= management.unacknowledged.count else {
            let sent = management.acknowledged &+ UInt32(truncatingIfNeeded: management.unacknowledged.count)
            end(
                connection, StreamError(.undefinedCondition),
                with: Self.element("handled-count-too-high").with("h", "\(h)").with("send-count", "\(sent)"))
            return false
        }
        for kept in management.unacknowledged.prefix(count) where kept.stanza.name == "message" {
            if let id = kept.stanza["id"] { acknowledged.insert(id) }
        }
        sessions[index].management?.acknowledged = h
        sessions[index].management?.unacknowledged.removeFirst(count)
        return true
    }

    /// Asks for an acknowledgement where one is missing and none is asked for.
    mutating func ask(_ index: Int) {
        guard let management = sessions[index].management, !management.isAsking,
            !management.unacknowledged.isEmpty, let connection = sessions[index].connection
        else { return }
        sessions[index].management?.isAsking = true
        effects.append(.write(connection, Self.element("r")))
    }

    /// The `h` to tell: the truth, unless a lie was ordered.
    ///
    /// A client writes again what a resumption leaves out, so a count that is too low there is the server's own from then on.
    private mutating func tell(_ handled: UInt32, _ index: Int, resumes: Bool = false) -> UInt32 {
        guard var management = sessions[index].management else { return handled }
        var h = handled
        switch disorder.miscount {
        case .tooHigh?: h = handled &+ 1_000
        case .tooLow? where handled != management.told:
            h = management.told
            if resumes { management.handled = h }
        case .backwards?: h = management.told &- 1
        // A count that is too low can only be told once there is something to leave out.
        case .tooLow?, nil: management.told = handled
        }
        if h != handled {
            disorder.miscount = nil
            lies.append(moment.clock)
        }
        sessions[index].management = management
        return h
    }

    /// A count as the attribute has it.
    private static func count(_ text: String?) -> UInt32? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        return UInt32(text)
    }
}
