internal import BellhopXML

/// What one walk over the children of a message found.
struct MessageFindings {
    var originID: String?
    var archiveID: String?
    var correctedID: String?
    var thread: String?
    /// The earliest one that we believe.
    var delay: Timestamp?
    /// A delay from one that we believe, at a time that cannot be read: its age is unknown, so it may not run.
    var hasUnreadableDelay = false
    var isArchiveResult = false
    var isCarbon = false
    var isCorrection = false
    var isEncrypted = false
    var isReaction = false
    var isRetraction = false
    var fallback = ReplyFallback()
    var payloads: [Element] = []

    /// The first body of each rank.
    private var preferredBody: String?
    private var untaggedBody: String?
    private var taggedBody: String?

    /// The body in our language, else the one without a language of its own, else the first.
    var body: String? { preferredBody ?? untaggedBody ?? taggedBody }

    init() {}

    mutating func note(_ child: Element, _ reading: MessageReading) {
        switch MessagePart(child) {
        case .content: noteContent(child, reading)
        case .delivery: break
        case .ids: noteID(child, reading)
        case .delay: noteDelay(child, reading)
        case .carbon: isCarbon = isCarbon || child.name == "received" || child.name == "sent"
        case .archive: isArchiveResult = isArchiveResult || child.name == "result"
        case .encryption: isEncrypted = true
        case .fallback:
            fallback.note(child)
            payloads.append(child)
        case .correction:
            isCorrection = isCorrection || child.name == "replace"
            correctedID = correctedID ?? child["id"]
            payloads.append(child)
        case .reaction:
            isReaction = true
            payloads.append(child)
        case .retraction:
            isRetraction = isRetraction || child.name == "retract"
            payloads.append(child)
        case .payload: payloads.append(child)
        }
    }

    private mutating func noteContent(_ child: Element, _ reading: MessageReading) {
        switch child.name {
        case "body": noteBody(child, reading)
        case "thread": thread = thread ?? child.text
        case "subject", "error": break
        default: payloads.append(child)
        }
    }

    private mutating func noteBody(_ child: Element, _ reading: MessageReading) {
        for attribute in child.attributes where attribute.name == "lang" && attribute.namespace == Namespace.xml {
            if reading.isPreferred(attribute.value) {
                preferredBody = preferredBody ?? child.text
            } else {
                taggedBody = taggedBody ?? child.text
            }
            return
        }
        untaggedBody = untaggedBody ?? child.text
    }

    /// Of the ids only our own ones count: an archive id written by another may name any message of ours.
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
            hasUnreadableDelay = true
            return
        }
        delay = delay.map { min($0, stamp) } ?? stamp
    }
}
