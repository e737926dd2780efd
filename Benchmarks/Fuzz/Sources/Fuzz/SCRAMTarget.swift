import BellhopCrypto
import BellhopEngine
import BellhopXMPP

/// The client's side of SCRAM against a server that knows no password: no trap, bounded work, and never a success.
enum SCRAMTarget {
    /// The first byte chooses the hash, 0xFF ends a message, and a message that begins with `!` is a success.
    static let dialogue = FuzzTarget(name: "scram") { data, count in
        guard let credentials = try? Credentials(user: "user", password: "pencil"), count > 0 else { return 0 }
        let bytes = Array(UnsafeBufferPointer(start: data, count: count))
        let hashes: [Hash] = [.sha1, .sha256, .sha512]
        var exchange = SCRAMExchange(
            hash: hashes[Int(bytes[0]) % 3], credentials: credentials, nonce: "rOprNGfwEbeRWgbNEkqO",
            bounds: SCRAMBounds(least: 1, most: 4))
        for message in bytes.dropFirst().split(separator: 0xFF, omittingEmptySubsequences: false).prefix(6) {
            let step: SCRAMExchange.Step
            if message.first == UInt8(ascii: "!") {
                step = exchange.receivedSuccess(Array(message.dropFirst()))
            } else {
                step = exchange.receivedChallenge(Array(message))
            }
            switch step {
            case .succeed: fatalError("a server without the password was believed")
            case .fail: return 0
            case .respond: continue
            }
        }
        return 0
    }
}
