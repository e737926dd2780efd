package import BellhopDiagnostics

/// Makes passwords that nobody can guess, out of characters that need no quoting in a file, a shell or JSON.
package enum PasswordMaker {
    /// Of five bits each, without those that look like others.
    private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
    /// 26 of them hold 130 bits.
    package static let length = 26

    /// A password out of as many random bytes as it has characters.
    package static func make(_ random: (Int) throws -> [UInt8]) rethrows -> Secret {
        let characters = try random(length).map { alphabet[Int($0 & 31)] }
        return Secret(String(decoding: characters, as: UTF8.self))
    }
}
