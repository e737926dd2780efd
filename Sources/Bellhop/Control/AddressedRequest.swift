package import BellhopXMPP

/// A request as it comes over the socket: with the account whose bot is meant.
package struct AddressedRequest: Equatable, Sendable {
    package let request: ControlRequest
    /// A bare address; nil where whoever asks has a configuration that names none.
    package let account: JID?

    package init(_ request: ControlRequest, for account: JID?) {
        self.request = request
        self.account = account?.bare
    }

    /// Why the bot of an account does not do it; nil where it does.
    ///
    /// A journal's place alone does not say that its bot is meant: two configurations may name one by mistake.
    package func refusal(by own: JID) -> ControlFailure? {
        guard let account else { return request.needsAccount ? .noAccount(own: own.bare) : nil }
        return account == own.bare ? nil : .anotherAccount(own: own.bare, named: account)
    }
}
