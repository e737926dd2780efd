internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopXMPP

/// Changes the account's password: the new one is in a file before the server hears of it, and the old one stays until the
/// server has said yes.
struct PasswordChange {
    let configuration: Configuration
    let file: PasswordFile
    /// Logs in with a password, and has the server do that.
    let ask: (Secret, AccountRequestRun.Request) throws -> AccountRequestRun.Outcome

    enum Outcome: Equatable {
        case changed
        /// An interrupted change is finished; the server had taken the new password already, or has now.
        case finished
        /// The new password is no password.
        case unusable(CredentialsFault)
        /// The new password is nothing but blanks.
        case blank
        /// What waits beside the file can be no password, and why.
        case unusableDraft(String)
        /// The new password is the old one.
        case same
        case cannotWrite(String, FileTrouble)
        /// The server has changed it, and the file cannot be put in its place.
        case cannotAdopt(FileTrouble)
        case refused(StanzaError)
        case notSent(AccountEnding)
        /// Neither the file's password nor the one that waits beside it is right.
        case neitherWorks(String)
        case unknown(reason: String?)
    }

    /// Goes on with a change that was interrupted, with the password that waits; the outcome is nil where none was.
    func goOn() throws -> Outcome? {
        let pending: Secret
        switch file.waiting {
        case .nothing: return nil
        case .unusable(let reason): return .unusableDraft(reason)
        case .password(let waiting): pending = waiting
        }
        let credentials: Credentials
        switch self.credentials(pending) {
        case .success(let usable): credentials = usable
        case .failure: return .unusableDraft("it holds a character that no password may hold")
        }
        switch try ask(configuration.account.password, .passwordChange(credentials)) {
        case .done: return adopted(.finished)
        case .refused(let error): return withdrawn(.refused(error))
        case .unknown(let reason): return .unknown(reason: reason)
        case .notSent(.loginRefused(let reason)):
            switch try ask(pending, .login) {
            case .done: return adopted(.finished)
            case .notSent(.loginRefused): return .neitherWorks(reason)
            case .notSent(let ending): return .notSent(ending)
            case .refused(let error): return .refused(error)
            case .unknown(let reason): return .unknown(reason: reason)
            }
        case .notSent(let ending): return .notSent(ending)
        }
    }

    /// Begins a change.
    func begin(_ new: Secret) throws -> Outcome {
        let credentials: Credentials
        switch self.credentials(new) {
        case .success(let usable): credentials = usable
        case .failure(let fault): return .unusable(fault)
        }
        if new.reveal().allSatisfy(\.isWhitespace) { return .blank }
        if new == configuration.account.password { return .same }
        if case .failure(let trouble) = file.propose(new) { return .cannotWrite(file.draft, trouble) }
        let answer: AccountRequestRun.Outcome
        do {
            answer = try ask(configuration.account.password, .passwordChange(credentials))
        } catch {
            // Nobody has heard of the new password.
            _ = file.withdraw()
            throw error
        }
        switch answer {
        case .done: return adopted(.changed)
        case .refused(let error): return withdrawn(.refused(error))
        case .unknown(let reason): return .unknown(reason: reason)
        case .notSent(let ending): return withdrawn(.notSent(ending))
        }
    }

    private func credentials(_ password: Secret) -> Result<Credentials, CredentialsFault> {
        Result { () throws(CredentialsFault) in
            try Credentials(user: configuration.account.jid.local ?? "", password: password.reveal())
        }
    }

    private func adopted(_ outcome: Outcome) -> Outcome {
        switch file.adopt() {
        case .success: outcome
        case .failure(let trouble): .cannotAdopt(trouble)
        }
    }

    /// A draft that cannot be removed is as harmless as one of an interrupted change, and is found like one.
    private func withdrawn(_ outcome: Outcome) -> Outcome {
        _ = file.withdraw()
        return outcome
    }
}
