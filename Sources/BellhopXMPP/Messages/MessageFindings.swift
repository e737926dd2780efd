internal import BellhopXML

/// What one walk over the children of a message found.
struct MessageFindings {
    private(set) var originID: String?
    private(set) var archiveID: String?
    private(set) var correctedID: String?
    private(set) var thread: String?
    private(set) var body: String?
    /// The earliest one that we believe.
    private(set) var delay: Timestamp?
    private(set) var fallback = ReplyFallback()
    private(set) var payloads: [Element] = []
    private(set) var isTransient = false

    private var bodyRank = BodyRank.absent
    private var marks: UInt8 = 0

    /// What bears on whether the message may be run.
    private enum Mark: UInt8 {
        case archiveResult, carbon, correction, encrypted, reaction, retraction
        /// A delay from one that we believe, at a time that cannot be read: the age is unknown, so it must not run.
        case unreadableDelay
    }

    private mutating func insert(_ mark: Mark) { marks |= 1 << mark.rawValue }

    private func has(_ mark: Mark) -> Bool { marks & 1 << mark.rawValue != 0 }

    /// The first obstacle, in the order of `IncomingMessage.init(stanza:reading:)`.
    func obstacle(
        type: MessageType, sender: JID?, text: String?, _ reading: MessageReading
    ) -> IncomingMessage.Obstacle? {
        if type == .error { return .error }
        if has(.archiveResult) { return .archive }
        if has(.carbon) { return sender == reading.account ? .carbon : .forgedCarbon }
        guard let sender else { return .noSender }
        if sender.bareText == reading.account.bareText { return .own }
        switch type {
        case .groupchat: return .groupchat
        case .headline: return .headline
        case .chat, .normal, .error: break
        }
        if !sender.hasLocal { return .domainSender }
        if has(.encrypted) { return .encrypted }
        if has(.reaction) { return .reaction }
        if has(.retraction) { return .retraction }
        guard let text else { return .noBody }
        if MessageFindings.isBlank(text) { return .emptyBody }
        if has(.correction) { return .correction }
        if has(.unreadableDelay) { return .stale }
        if reading.isStale(delay) { return .stale }
        return nil
    }

    private static func isBlank(_ text: String) -> Bool {
        // Nearly always the first byte decides, and the tables of Unicode need not be asked.
        if let first = text.utf8.first, first > 0x20, first < 0x7F { return false }
        return text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }
}

extension MessageFindings {
    mutating func note(_ child: Element, _ reading: MessageReading) {
        switch MessagePart(child) {
        case .content: noteContent(child, reading)
        case .delivery: break
        case .hint:
            if child.name == "no-store" || child.name == "no-permanent-store" { isTransient = true }
        case .ids: noteID(child, reading)
        case .delay: noteDelay(child, reading)
        case .carbon:
            if child.name == "received" || child.name == "sent" { insert(.carbon) }
        case .archive:
            if child.name == "result" { insert(.archiveResult) }
        case .encryption: insert(.encrypted)
        case .fallback:
            fallback.note(child)
            payloads.append(child)
        case .correction:
            if child.name == "replace" { insert(.correction) }
            correctedID = correctedID ?? child["id"]
            payloads.append(child)
        case .reaction:
            insert(.reaction)
            payloads.append(child)
        case .retraction:
            if child.name == "retract" { insert(.retraction) }
            payloads.append(child)
        case .payload: payloads.append(child)
        }
    }

    private mutating func noteContent(_ child: Element, _ reading: MessageReading) {
        switch child.name {
        case "body":
            let rank = reading.rank(ofBody: child)
            guard rank > bodyRank else { return }
            bodyRank = rank
            body = child.text
        case "thread": thread = thread ?? child.text
        case "subject", "error": break
        default: payloads.append(child)
        }
    }

    /// An archive id written by another than our own account may name any message of ours.
    private mutating func noteID(_ child: Element, _ reading: MessageReading) {
        guard let id = child["id"], !id.isEmpty else { return }
        switch child.name {
        case "origin-id": originID = originID ?? id
        case "stanza-id":
            guard archiveID == nil, let by = child["by"], reading.isAccount(by) else { return }
            archiveID = id
        default: break
        }
    }

    /// A delay without `from` names nobody to believe, and its sender may have written it.
    private mutating func noteDelay(_ child: Element, _ reading: MessageReading) {
        guard child.name == "delay", let from = child["from"], reading.isTrustedWithTime(from) else { return }
        guard let stamp = child["stamp"].flatMap(Timestamp.init) else {
            insert(.unreadableDelay)
            return
        }
        delay = delay.map { min($0, stamp) } ?? stamp
    }
}
