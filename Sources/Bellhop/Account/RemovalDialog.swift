package import BellhopXMPP

/// Asks twice whether an account is to be removed.
package enum RemovalDialog {
    /// Whether the person said yes, and then typed the account's address.
    package static func confirms(_ jid: JID, _ prompter: inout some Prompter) -> Bool {
        prompter.say(AccountPhrases.reallyRemove(jid))
        guard let answer = prompter.ask(AccountPhrases.goOn), ["y", "yes"].contains(answer.lowercased()),
            let typed = prompter.ask(AccountPhrases.typeAddress)
        else { return false }
        let address = typed.filter { !$0.isWhitespace }
        return (try? JID(address)) == jid.bare
    }
}
