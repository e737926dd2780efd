internal import BellhopSQLite
package import BellhopXMPP

/// Every message of one conversation by what it is known by, so that an archive can be read without logging any twice.
package struct LoggedMessages: Sendable {
    private struct Name: Hashable {
        var isOutgoing: Bool
        var id: String
        /// Nil where the text was not kept.
        var body: String?
    }

    private var archiveIDs: Set<String> = []
    /// What has no archive id may be the same as a message that has one.
    private var names: Set<Name> = []

    package init() {}

    mutating func insert(_ direction: Direction, archiveID: String?, id: String?, body: String?) {
        if let archiveID { archiveIDs.insert(archiveID) }
        guard archiveID == nil, let id else { return }
        names.insert(Name(isOutgoing: direction == .outgoing, id: id, body: body))
    }

    /// Whether a message of the archive is among them.
    package func contains(_ message: IncomingMessage, isOwn: Bool) -> Bool {
        if let id = message.archiveID, archiveIDs.contains(id) { return true }
        return [message.originID, message.id].compactMap { $0 }.contains { id in
            names.contains(Name(isOutgoing: isOwn, id: id, body: message.body))
                || names.contains(Name(isOutgoing: isOwn, id: id, body: nil))
        }
    }
}

extension JournalReader {
    /// What is logged of a conversation; reads all of it, so not for the loop's thread.
    package func logged(with peer: String) throws(JournalError) -> LoggedMessages {
        try JournalFile.described(path) { () throws(DatabaseError) in
            let rows = try connection.prepare(
                "SELECT direction, archive_id, coalesce(origin_id, id), body FROM messages WHERE peer = ?")
            rows.bind(peer, at: 1)
            var logged = LoggedMessages()
            while try rows.step() {
                logged.insert(
                    Direction(rawValue: rows.integer(0)) ?? .incoming, archiveID: rows.text(1), id: rows.text(2),
                    body: rows.text(3))
            }
            return logged
        }
    }
}
