internal import BellhopXMPP

/// What stands behind `presence`: nothing, `reset`, or how to be shown and in which words.
enum PresenceRequest: Equatable {
    case look
    case reset
    case show(Show, status: String?)
    /// The words are longer than contacts want to read.
    case tooLong

    /// The longest status text, in UTF-8 bytes.
    static let statusLimit = 500

    /// Nil when it names no way to be shown.
    init?(_ text: String) {
        guard let start = text.firstIndex(where: { !$0.isSeparator }) else {
            self = .look
            return
        }
        let word = text[start...].prefix { !$0.isSeparator }
        let status = text[word.endIndex...].drop(while: \.isSeparator)
        let name = CommandName.folded(word)
        if name == "reset", status.isEmpty {
            self = .reset
        } else if let show = name == "online" ? .available : Show(rawValue: name) {
            self =
                status.utf8.count > Self.statusLimit
                ? .tooLong : .show(show, status: status.isEmpty ? nil : String(status))
        } else {
            return nil
        }
    }
}
