package import BellhopDiagnostics
internal import BellhopXMPP

/// The file that holds the account's password, and beside it, while the password is being changed, the new one.
///
/// Both stand there until the server has said yes or no, so that a crash in between loses neither.
package struct PasswordFile: Equatable, Sendable {
    package let path: String

    /// Where the path is a link, what it leads to, so that the link stays one.
    package init(path: String) { self.path = SystemFile.target(of: path) }

    /// Where a new password waits for the server's word.
    package var draft: String { path + ".new" }

    /// Kept by whoever changes the password.
    package var lock: String { path + ".lock" }

    /// What the file holds; nil where it cannot be read.
    package var current: Secret? { Self.read(path) }

    /// What may be the password by now: what the file holds, then what waits beside it.
    package var candidates: [Secret] { [path, draft].compactMap { Self.read($0) } }

    /// What waits beside the file.
    package enum Waiting: Equatable, Sendable {
        case nothing
        /// The new password of a change that was interrupted.
        case password(Secret)
        /// Something that can be no password, and why.
        case unusable(String)
    }

    package var waiting: Waiting {
        let contents = SystemFile.read(draft, limit: ConfigurationLoader.secretLimit)
        if contents == .failure(.notFound), SystemFile.exists(draft) { return .unusable("it leads nowhere") }
        return waiting(contents)
    }

    /// The same, of what was read where the draft should be.
    package func waiting(_ contents: Result<FileContents, FileTrouble>) -> Waiting {
        switch contents {
        case .failure(.notFound): return .nothing
        case .failure(let trouble): return .unusable(trouble.phrase)
        case .success(let contents):
            if contents.bytes.isEmpty { return .unusable("it is empty") }
            guard case .success(let secret) = SecretReader.secret(contents.bytes, ifEmpty: .secretFileEmpty(draft))
            else { return .unusable("it holds no text") }
            if secret.reveal().allSatisfy(\.isWhitespace) { return .unusable("it holds nothing but blanks") }
            if secret.reveal().contains(where: \.isNewline) { return .unusable("it holds more than one line") }
            return Self.isForbidden(secret) ? .unusable(Self.forbidden) : .password(secret)
        }
    }

    /// Why a text is no password, whatever the server says.
    static let forbidden = "it holds a character that no password may hold"

    /// Whether it can be nobody's password, whatever the server says.
    static func isForbidden(_ secret: Secret) -> Bool {
        do throws(CredentialsFault) {
            _ = try Credentials(user: "user", password: secret.reveal())
            return false
        } catch {
            return error == .password
        }
    }

    /// The new password of a change that was interrupted.
    package var pending: Secret? {
        if case .password(let secret) = waiting { secret } else { nil }
    }

    /// Removes what a killed process was about to put beside the file; only for who has the lock.
    package func tidy() { SystemFile.removeDrafts(of: draft) }

    /// Writes the first password, with mode 0600; never over a file that is there.
    package func make(_ password: Secret) -> Result<Void, FileTrouble> {
        SystemFile.makeFolders(above: path)
        return SystemFile.createWhole(path, Self.bytes(of: password))
    }

    /// Puts a new password beside the old one, for the same users to read.
    package func propose(_ password: Secret) -> Result<Void, FileTrouble> {
        SystemFile.createWhole(draft, Self.bytes(of: password), like: path)
    }

    /// The server has taken the new password.
    package func adopt() -> Result<Void, FileTrouble> { SystemFile.move(draft, to: path) }

    /// The server has not taken it.
    package func withdraw() -> Result<Void, FileTrouble> { SystemFile.remove(draft) }

    /// The server has not taken what waited since earlier, and nobody may have it elsewhere: it is kept under a name that nobody
    /// tries. Returns the file that holds it now.
    package func setAside() -> String {
        let names = (1...999).lazy.map { path + ".refused" + ($0 == 1 ? "" : ".\($0)") }
        guard let name = names.first(where: { !SystemFile.exists($0) }),
            case .success = SystemFile.move(draft, to: name)
        else { return draft }
        return name
    }

    private static func bytes(of password: Secret) -> [UInt8] { Array((password.reveal() + "\n").utf8) }

    private static func read(_ path: String) -> Secret? {
        guard case .success(let contents) = SystemFile.read(path, limit: ConfigurationLoader.secretLimit),
            case .success(let secret) = SecretReader.secret(contents.bytes, ifEmpty: .secretFileEmpty(path))
        else { return nil }
        return secret
    }
}
