package import BellhopXML

/// The end of a page of an archive (XEP-0313 section 4.3).
package struct ArchiveFin: Equatable, Sendable {
    /// Whether no page follows.
    package let isComplete: Bool
    /// Whether the same question will have the same answer later; else its ids are no place to go on from.
    package let isStable: Bool
    /// The id of the page's last message; nil on an empty page.
    package let last: String?

    package init(isComplete: Bool = false, isStable: Bool = true, last: String?) {
        self.isComplete = isComplete
        self.isStable = isStable
        self.last = last
    }

    /// Reads the payload of an answer; nil when it is no `<fin/>`. How many messages there are is not looked at, since
    /// servers may guess.
    package init?(_ payload: Element) {
        guard payload.is("fin", Namespace.messageArchive) else { return nil }
        let last = payload.child("set", Namespace.resultSets)?.child("last", Namespace.resultSets)?.text
        self.init(
            isComplete: payload["complete"] == "true" || payload["complete"] == "1",
            isStable: payload["stable"] != "false" && payload["stable"] != "0",
            last: last.flatMap { $0.isEmpty ? nil : $0 })
    }
}
