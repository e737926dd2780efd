internal import BellhopXMPP

/// What `cancel` is to stop.
struct CancelRequest: Equatable {
    /// Whose command; nil for that of whoever asks.
    var person: JID?
    /// Whether what waits behind it is dropped, too.
    var includesWaiting = false

    /// Reads what stands behind `cancel`; nil when it is none of nothing, `all`, an address, and an address with `all`.
    init?(_ arguments: String) {
        var words = arguments.split(whereSeparator: \.isWhitespace)
        if let last = words.last, CommandName.folded(last) == "all" {
            includesWaiting = true
            words.removeLast()
        }
        guard let word = words.first else { return }
        guard words.count == 1, word.contains("@"), let jid = try? JID(String(word)), jid.local != nil else {
            return nil
        }
        person = jid.bare
    }
}
