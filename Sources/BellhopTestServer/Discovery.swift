/// What a test server says of itself when it is asked for its features (XEP-0030).
package struct Discovery: Sendable {
    static let namespace = "http://jabber.org/protocol/disco#info"

    /// The server's own features.
    package var server: [String]
    /// The features of the account, like an archive.
    package var account: [String]

    package init(server: [String] = [], account: [String] = []) {
        self.server = server
        self.account = account
    }

    /// The payload of the answer to a question that was sent to this address.
    func info(about address: String?, of domain: String) -> String {
        let features = address == domain ? server : account
        return "<query xmlns='\(Self.namespace)'>" + features.map { "<feature var='\($0)'/>" }.joined() + "</query>"
    }
}
