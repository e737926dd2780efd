import BellhopXMPP

/// Addresses: no trap, and what was read, written and read again is the same.
enum JIDTarget {
    static let text = FuzzTarget(name: "jid") { data, count in
        let text = String(decoding: UnsafeBufferPointer(start: data, count: count), as: UTF8.self)
        if let jid = try? JID(text) { JIDTarget.check(jid) }
        if let jid = try? JID(received: text) {
            if jid.isBare != !text.utf8.contains(UInt8(ascii: "/")) { fatalError("the resource of \(jid)") }
            _ = try? JIDPattern(text).matches(jid)
        }
        return 0
    }

    private static func check(_ jid: JID) {
        guard let again = try? JID(jid.description) else { fatalError("\(jid) cannot be read again") }
        if again != jid || again.hashValue != jid.hashValue { fatalError("\(jid) became \(again)") }
        guard let parts = try? JID(local: jid.local, domain: jid.domain, resource: jid.resource), parts == jid else {
            fatalError("\(jid) is not its parts")
        }
        for part in [jid.local, jid.domain, jid.resource] {
            guard let part else { continue }
            if part.isEmpty || part.utf8.count > 1023 { fatalError("a part of \(jid) has \(part.utf8.count) bytes") }
        }
    }
}
