internal import BellhopCrypto
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopXMPP

/// What the server gave out at one login for the next (XEP-0484), kept beside the password that earned it.
extension JournalLedger {
    /// The tokens that count beside this password; those of another one are forgotten.
    func tokens(for password: Secret, _ random: (Int) throws -> [UInt8]) throws -> LoginTokens {
        guard let records = try journal.tokens(account: account) else {
            passwordTie = PasswordTie(salt: Base64.encode(try random(16)))
            return LoginTokens()
        }
        var tie = PasswordTie(salt: records.salt)
        defer { passwordTie = tie }
        guard tie.digest(of: password) == records.passwordDigest else {
            journal.keepTokens(nil, account: account)
            return LoginTokens()
        }
        return LoginTokens(records.tokens.compactMap(LoginToken.init))
    }

    /// Keeps them with the next commit, for as long as the password is this one.
    func keep(_ tokens: LoginTokens, for password: Secret) {
        guard !tokens.isEmpty, var tie = passwordTie else { return journal.keepTokens(nil, account: account) }
        let digest = tie.digest(of: password)
        passwordTie = tie
        journal.keepTokens(
            TokenRecords(tokens.all.map(TokenRecord.init), passwordDigest: digest, salt: tie.salt), account: account)
    }

    func forgetTokens() { journal.keepTokens(nil, account: account) }
}

extension LoginToken {
    /// Nil where this program does not know the mechanism.
    fileprivate init?(_ record: TokenRecord) {
        guard let mechanism = TokenMechanism(rawValue: record.mechanism), !record.secret.isEmpty else { return nil }
        self.init(mechanism, secret: record.secret, count: record.count, expiry: record.expiresAt)
    }
}

extension TokenRecord {
    fileprivate init(_ token: LoginToken) {
        self.init(
            mechanism: token.mechanism.rawValue, secret: token.secret, count: token.count, expiresAt: token.expiry)
    }
}
