internal import BellhopDiagnostics
internal import BellhopEngine

/// What the server gives out at one login for the next (XEP-0484).
extension AccountLoop {
    /// What of tokens goes into a login; each is counted now, and the count is in the journal before it is sent.
    func prepareTokens() -> LoginTokens? {
        guard var tokens = memory.tokens else { return nil }
        guard !tokens.isEmpty else { return tokens }
        tokens.prepare(at: clock)
        keep(tokens)
        return tokens
    }

    func note(_ event: LoginTokens.Event) {
        guard var tokens = memory.tokens else { return }
        tokens.note(event)
        keep(tokens)
        switch event {
        case .accepted: memory.tokenOpenIn = nil
        case .refused(let token):
            memory.refusedTokens = (memory.refusedTokens + [token]).suffix(4)
            memory.tokenOpenIn = nil
            memory.tokenRefusedIn = attempt
            log.info("login", LoginPhrases.tokenRefused)
        case .granted: break
        }
    }

    /// A token was shown: until the server has said something of it no other login shows one, since a server that hangs up on
    /// tokens would never let us in.
    func noteTokenShown() { memory.tokenOpenIn = attempt }

    /// Whether a login that failed behind a refused token is tried at once on another connection.
    func goesOnWithPassword(after cause: BreakCause) -> Bool {
        guard memory.tokenRefusedIn == attempt, live == nil, cause.mayBeOfToken else { return false }
        memory.tokenRefusedIn = nil
        return true
    }

    /// Forgets the tokens; the next login is one with the password.
    func forgetTokens() {
        guard memory.tokens?.isEmpty == false else { return }
        keep(LoginTokens())
    }

    private func keep(_ tokens: LoginTokens) {
        guard memory.tokens != tokens else { return }
        memory.tokens = tokens
        house?.keep(tokens)
    }

    /// What is in no line of the log: a server may say back what it was told, or has given out.
    var secrets: SpokenSecrets { SpokenSecrets([settings.password] + settings.formerPasswords + shownTokens) }

    /// The tokens alone, for sentences that hold no password any more.
    var tokenSecrets: SpokenSecrets { SpokenSecrets(shownTokens) }

    private var shownTokens: [Secret] {
        ((memory.tokens?.all ?? []) + memory.refusedTokens).map { Secret($0.secret) }
    }
}
