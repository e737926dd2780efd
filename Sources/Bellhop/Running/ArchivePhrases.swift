/// What the log says of the archive on the server.
enum ArchivePhrases {
    static let caughtUp = "What was said while the bot was away is in the log"
    static let limit =
        "More was said while the bot was away than is read at once; the rest is read after the next login"
    static let cutOff = "The reading of the archive was cut off; the next login goes on with it"
    static let confused =
        "The server's archive gives pages that lead nowhere; what was said while the bot was away may be missing in the log"
    static let refused =
        "The server does not let the bot read its archive; what was said while it was away may be missing in the log"
    static let settled = "Messages whose fate was unknown were looked for in the archive"
    /// Continues "The server refused".
    static let leadsNowhere = "its archive gives pages that lead nowhere"
}
