internal import BellhopXML
internal import BellhopXMPP

/// What a server's `<authentication/>` offers: mechanisms, and what may go along with a login (XEP-0388).
package struct SASL2Offer: Equatable, Sendable {
    /// The names of the mechanisms, at most 64 of them.
    package var mechanisms: [String] = []
    /// A broken stream can be taken up along with the login (XEP-0198).
    package var resumes = false
    /// A resource can be bound along with the login (XEP-0386).
    package var binds = false
    /// Stream management can be turned on along with that.
    package var managesStream = false
    /// The names of the mechanisms that log in with a token, at most 64 of them (XEP-0484).
    package var tokens: [String] = []

    package init() {}

    init(_ authentication: Element) {
        mechanisms = Self.mechanisms(in: authentication, Namespace.sasl2)
        guard let inline = authentication.child("inline", Namespace.sasl2) else { return }
        resumes = inline.child("sm", Namespace.streamManagement) != nil
        if let fast = inline.child("fast", Namespace.fast) { tokens = Self.mechanisms(in: fast, Namespace.fast) }
        guard let bind = inline.child("bind", Namespace.bind2) else { return }
        binds = true
        managesStream =
            bind.child("inline", Namespace.bind2)?.children.contains {
                $0.is("feature", Namespace.bind2) && $0["var"] == Namespace.streamManagement
            } ?? false
    }

    private static func mechanisms(in list: Element, _ namespace: String) -> [String] {
        list.children.lazy.filter { $0.is("mechanism", namespace) }.prefix(64).map { String($0.token.prefix(64)) }
    }
}
