package import BellhopDiagnostics

/// Where a secret comes from.
package enum SecretSource: Equatable, Sendable {
    case plain(Secret)
    case environment(String)
    case file(String)
    /// A program and its arguments, run without a shell.
    case command([String])
    /// A systemd credential, a file in `$CREDENTIALS_DIRECTORY`.
    case credential(String)
}
