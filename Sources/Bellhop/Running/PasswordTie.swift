internal import BellhopCrypto
internal import BellhopDiagnostics

/// What ties tokens to the password with which they were earned: whoever gives the bot another password means another login.
struct PasswordTie {
    /// Base64 of random bytes.
    let salt: String
    /// The digest that was computed last, and of which password.
    private var known: (password: Secret, digest: String)?

    init(salt: String) { self.salt = salt }

    /// A digest that tells whether a password is the same and costs whoever tries others out as much as it can here, where it is
    /// computed once for each run.
    mutating func digest(of password: Secret) -> String {
        if let known, known.password == password { return known.digest }
        let digest = Base64.encode(
            Hash.sha256.pbkdf2(
                password: Array(password.reveal().utf8), salt: Array(salt.utf8), iterations: Self.iterations))
        known = (password, digest)
        return digest
    }

    private static let iterations = 100_000
}
