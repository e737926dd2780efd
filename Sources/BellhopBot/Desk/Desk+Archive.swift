package import BellhopXMPP

/// What the archive on the server holds of a conversation and nothing is to be done with.
extension Desk {
    /// Puts a message of old into the log and does nothing else: nothing runs, nobody is told.
    ///
    /// Nil where there is nothing to be logged.
    package func file(_ message: IncomingMessage, reason: String, at moment: Moment) -> Admission? {
        guard message.body != nil else { return nil }
        switch message.obstacle {
        case .error, .forgedCarbon, .archive: return nil
        case nil, .headline, .groupchat, .own, .noSender, .domainSender, .carbon, .stale, .noBody, .emptyBody,
            .encrypted, .correction, .reaction, .retraction:
            break
        }
        let (peer, isOwn) = otherSide(of: message)
        let record = IncomingRecord(peer: peer, isOwn: isOwn, state: .declined, reason: reason)
        return ledger.admit(message, record, at: moment.clock)
    }
}
