import BellhopTransport
import BellhopXML
import BellhopXMPP
import EndToEndSupport

/// The life of a `ManagedPerson`; belongs to its thread.
final class PersonLoop {
    let person: ManagedPerson
    let server: RealServer
    /// The bot's bare address.
    let bot: String
    let census: Census
    private let gate: ServerGate
    private let inbox: Inbox<ManagedPerson.Input>
    private let wakeup: Wakeup

    var queue = UnacknowledgedQueue()
    /// Said while there was no session.
    private var unsaid: [PlannedMessage] = []
    /// How the server knows the session that can be resumed.
    private var resumption: String?
    /// How many stanzas of the server's were handled in this session.
    private var handled: UInt32 = 0
    private var isRegistered = false
    private var isLeaving = false
    var archive = ArchiveReading()

    init(
        _ person: ManagedPerson, server: RealServer, bot: String, gate: ServerGate, census: Census,
        inbox: Inbox<ManagedPerson.Input>, wakeup: Wakeup
    ) {
        self.person = person
        self.server = server
        self.bot = bot
        self.gate = gate
        self.census = census
        self.inbox = inbox
        self.wakeup = wakeup
    }

    var jid: String { "\(person.name)@\(server.domain)" }

    func run() {
        let pause = Poller(wakeup: wakeup)
        while !isLeaving {
            if gate.isOpen {
                do {
                    try live()
                } catch {
                    census.note { $0.troubles.append("\(person.name): \(error)") }
                }
            }
            takeInputs(nil)
            if !isLeaving { _ = pause.wait(socket: nil, reading: false, writing: false, timeout: .milliseconds(50)) }
        }
    }

    /// One connection, from its login to its end.
    private func live() throws {
        let login = Login(
            name: person.name, password: "the password of \(person.name)", resource: "chaos", registers: !isRegistered)
        let stream = try login.authenticate(at: server, wakeup: wakeup)
        isRegistered = true
        if try !resume(on: stream) { try begin(on: stream, login) }
        census.note { _ = $0.online.insert(person.number) }
        defer { census.note { _ = $0.online.remove(person.number) } }
        if archive.isWanted { try readArchive(on: stream) }
        while !isLeaving {
            takeInputs(stream)
            try sayWhatWaits(on: stream)
            guard !isLeaving, let events = try stream.whatCame() else { break }
            for event in events {
                switch event {
                case .element(let element): try received(element, on: stream)
                case .closed, .failed: return
                case .opened: break
                }
            }
        }
        if isLeaving {
            try stream.write("</stream:stream>")
            stream.finish()
        }
    }

    private func takeInputs(_ stream: RawStream?) {
        for input in inbox.take() {
            switch input {
            case .say(let message): unsaid.append(message)
            case .reviewArchive: archive.isReview = true
            case .leave: isLeaving = true
            }
        }
    }

    // MARK: Sessions

    private func resume(on stream: RawStream) throws -> Bool {
        guard let id = resumption else { return false }
        resumption = nil
        let resume = Element("resume", namespace: Namespace.streamManagement)
            .with("h", String(handled)).with("previd", id)
        try stream.write(resume.serialized(in: Namespace.client))
        let answer = try stream.element()
        if let h = answer["h"].flatMap({ UInt32($0) }) { try acknowledged(h) }
        guard answer.is("resumed", Namespace.streamManagement) else { return false }
        resumption = id
        census.note { $0.resumptions += 1 }
        for entry in queue.entries {
            if entry.id != nil { census.note { $0.repetitions += 1 } }
            try stream.write(entry.stanza)
        }
        try stream.write("<r xmlns='\(Namespace.streamManagement)'/>")
        return true
    }

    private func begin(on stream: RawStream, _ login: Login) throws {
        try login.bind(on: stream)
        let left = queue.sessionBegan()
        try stream.write("<enable xmlns='\(Namespace.streamManagement)' resume='true'/>")
        let enabled = try stream.element()
        guard enabled.is("enabled", Namespace.streamManagement) else {
            throw RawStreamFault(description: "no stream management: \(enabled.serialized())")
        }
        handled = 0
        resumption = enabled["id"]
        census.note { $0.newSessions += 1 }
        try send(UnacknowledgedQueue.Entry(id: nil, stanza: "<presence/>"), on: stream)
        for entry in left {
            census.note { $0.repetitions += 1 }
            try send(entry, on: stream)
        }
        archive.sessionBegan()
    }

    // MARK: What leaves

    func send(_ entry: UnacknowledgedQueue.Entry, on stream: RawStream) throws {
        // Counted before it is written: what is lost in a failing write is sent again, too.
        queue.sent(entry)
        try stream.write(entry.stanza + "<r xmlns='\(Namespace.streamManagement)'/>")
    }

    private func sayWhatWaits(on stream: RawStream) throws {
        if archive.isReview && !archive.isReading { try readArchive(on: stream) }
        while !unsaid.isEmpty {
            let message = unsaid.removeFirst()
            let to = message.usesFullAddress ? "\(bot)/bellhop" : bot
            let stanza = Element("message", namespace: Namespace.client)
                .with("to", to).with("type", "chat").with("id", message.id)
                .with(Element("body", namespace: Namespace.client).with(text: message.body))
                .with(Element("origin-id", namespace: Namespace.stanzaIDs).with("id", message.id))
            defer { census.note { _ = $0.written.insert(message.id) } }
            try send(
                UnacknowledgedQueue.Entry(id: message.id, stanza: stanza.serialized(in: Namespace.client)), on: stream)
        }
    }

    private func acknowledged(_ h: UInt32) throws {
        let ids = try queue.acknowledged(h)
        if !ids.isEmpty { census.note { $0.acknowledged.formUnion(ids) } }
    }

    // MARK: What comes

    private func received(_ element: Element, on stream: RawStream) throws {
        if element.namespace == Namespace.streamManagement {
            switch element.name {
            case "r": try stream.write("<a xmlns='\(Namespace.streamManagement)' h='\(handled)'/>")
            case "a": if let h = element["h"].flatMap({ UInt32($0) }) { try acknowledged(h) }
            default: break
            }
            return
        }
        guard element.namespace == Namespace.client else { return }
        handled &+= 1
        switch element.name {
        case "message": receivedMessage(element)
        case "iq": try receivedIQ(element, on: stream)
        default: break
        }
    }

    private func receivedMessage(_ message: Element) {
        if let result = message.child("result", Namespace.messageArchive) {
            guard bare(message["from"]) == nil || bare(message["from"]) == jid else { return }
            let forwarded = result.child("forwarded", Namespace.forward)?.child("message", Namespace.client)
            if let forwarded { heard(forwarded, isFromArchive: true) }
        } else if message["type"] == "error" {
            guard let id = message["id"] else { return }
            let reason = message.child("error", Namespace.client)?.children.first?.name ?? "no reason"
            census.note { facts in
                facts.bounced.insert(id)
                facts.troubles.append("\(person.name): \(id) came back: \(reason)")
            }
        } else {
            heard(message, isFromArchive: false)
        }
    }

    private func heard(_ message: Element, isFromArchive: Bool) {
        guard bare(message["from"]) == bot, let body = message.child("body", Namespace.client)?.text else { return }
        census.heard(
            Heard(person: person.number, id: message["id"] ?? "", body: body, isFromArchive: isFromArchive))
    }

    private func receivedIQ(_ iq: Element, on stream: RawStream) throws {
        let id = iq["id"] ?? ""
        switch iq["type"] {
        case "get", "set":
            // A server's ping needs any answer; nothing else is asked of us.
            var answer = Element("iq", namespace: Namespace.client).with("type", "result").with("id", id)
            answer["to"] = iq["from"]
            try send(UnacknowledgedQueue.Entry(id: nil, stanza: answer.serialized(in: Namespace.client)), on: stream)
        default: try receivedArchivePage(iq, on: stream)
        }
    }

    private func bare(_ address: String?) -> String? {
        address?.split(separator: "/", maxSplits: 1).first.map(String.init)
    }
}
