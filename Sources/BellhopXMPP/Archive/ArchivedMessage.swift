package import BellhopXML

/// One result of an archive query (XEP-0313 section 4.2).
package struct ArchivedMessage: Equatable, Sendable {
    /// Which query it answers.
    package let queryID: String
    /// The archive's own name for it.
    package let id: String
    /// When it was filed; nil where that cannot be read.
    package let filedAt: Timestamp?
    /// The message as it was sent.
    package let message: Element

    package init(queryID: String, id: String, filedAt: Timestamp?, message: Element) {
        self.queryID = queryID
        self.id = id
        self.filedAt = filedAt
        self.message = message
    }

    /// Reads the `<result/>` in a message stanza; nil when there is none, or it names no query, has no id or no message.
    package init?(_ stanza: Element) {
        guard let result = stanza.child("result", Namespace.messageArchive),
            let queryID = result["queryid"], !queryID.isEmpty, let id = result["id"], !id.isEmpty,
            let forwarded = result.child("forwarded", Namespace.forward),
            let message = forwarded.child("message", Namespace.client)
        else { return nil }
        let delay = forwarded.child("delay", Namespace.delay)
        self.init(queryID: queryID, id: id, filedAt: delay?["stamp"].flatMap(Timestamp.init), message: message)
    }
}
