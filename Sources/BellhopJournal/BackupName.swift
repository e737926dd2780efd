package import BellhopXMPP

/// The names of the backups that a bot makes by itself: the account and the moment in UTC, so that bots may share a folder.
package struct BackupName: Equatable, Sendable {
    private let account: String
    private static let ending = ".db"
    /// `20261130T064541Z`.
    private static let stampLength = 16

    /// `account` is the bot's bare address.
    package init(account: String) {
        // File systems take 255 bytes; two addresses that only differ behind 180 bytes have two names all the same.
        guard account.utf8.count > 180 else {
            self.account = account
            return
        }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in account.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var start = ""
        for scalar in account.unicodeScalars where start.utf8.count + 4 <= 160 { start.unicodeScalars.append(scalar) }
        self.account = start + "-" + String(hash, radix: 16)
    }

    /// The name of a backup made at that moment.
    package func name(at moment: Timestamp) -> String {
        let digits = moment.description.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" }
        return "\(account)-\(digits)Z\(Self.ending)"
    }

    /// When the backup of this name was made; nil for a file that is none of ours.
    package func moment(of name: String) -> Timestamp? {
        guard name.hasPrefix(account + "-"), name.hasSuffix(Self.ending) else { return nil }
        let stamp = Array(name.dropFirst(account.count + 1).dropLast(Self.ending.count).utf8)
        guard stamp.count == Self.stampLength else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: stamp[range], as: UTF8.self) }
        let text = "\(part(0..<4))-\(part(4..<6))-\(part(6..<11)):\(part(11..<13)):\(part(13..<16))"
        guard let moment = Timestamp(text), self.name(at: moment) == name else { return nil }
        return moment
    }

    /// Whether the file is a backup of ours that was begun and not finished.
    package func isLeftOver(_ name: String) -> Bool {
        guard let end = name.range(of: Self.ending + ".partial-") else { return false }
        return moment(of: name[..<end] + Self.ending) != nil
    }
}

extension String {
    /// Where the text stands first.
    fileprivate func range(of text: String) -> Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}
