internal import BellhopXML

/// What must be known to tell what a message means to us.
package struct MessageReading: Sendable {
    /// Our own bare address.
    package let account: JID
    /// The language to choose a body in, like `en`; nil for no preference.
    package var language: String?
    /// The wall clock.
    package var now: Timestamp
    /// The monotonic clock at the same moment.
    package var moment: Duration = .zero
    /// The clock that wrote the stamps of late messages; nil where it is not known, and then ours counts.
    package var serverClock: ServerClock?
    /// Since when, on the monotonic clock, what is read may have waited for us, where it is that old without a stamp that says so; else nil.
    package var heldSince: Duration?
    /// The age from which on no command runs any more.
    package var maxAge: Duration

    package init(account: JID, language: String? = nil, now: Timestamp, maxAge: Duration = .seconds(120)) {
        self.account = account.bare
        self.language = language
        self.now = now
        self.maxAge = maxAge
    }

    /// Whether what was sent, or stamped, at that time is too old to run.
    func isStale(_ delay: Timestamp?) -> Bool {
        if let delay, (serverClock?.time(at: moment) ?? now) - delay > maxAge { return true }
        guard let heldSince else { return false }
        return moment - heldSince > maxAge
    }

    /// Whether the text is our bare address.
    func isAccount(_ text: String) -> Bool {
        if text == account.bareText { return true }
        return (try? JID(received: text)) == account
    }

    /// Whether the text names one whose `<delay/>` we believe: our server or our own account.
    func isTrustedWithTime(_ text: String) -> Bool {
        if text == account.bareText { return true }
        guard let jid = try? JID(received: text), jid.isBare else { return false }
        return jid == account || jid.bareText == account.domain
    }

    func rank(ofBody body: Element) -> BodyRank {
        for attribute in body.attributes where attribute.name == "lang" && attribute.namespace == Namespace.xml {
            return isOurs(language: attribute.value) ? .ourLanguage : .otherLanguage
        }
        return .noLanguage
    }

    /// A region behind the language makes no difference.
    private func isOurs(language tag: String) -> Bool {
        guard let language else { return false }
        let (tag, wanted) = (tag.lowercased(), language.lowercased())
        return tag == wanted || tag.hasPrefix(wanted + "-")
    }
}
